// A process made of the chassis: its ports, its guards, what it answers and writes.
#include <filesystem>
#include <regex>

#include "tests/integration/chassis_bed.hpp"

using namespace parley;
using namespace parley::chassis_tests;

TEST_CASE("process: the admin port") {
  Running running;
  auto admin = running.admin();
  auto answer = admin.ask(get("/livez"));
  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK(answer->body == "ok\n");
  CHECK(admin.ask(get("/healthz"))->status == 200);
  CHECK(admin.ask(get("/readyz"))->status == 200);
  CHECK(admin.ask(get("/other"))->status == 404);
  CHECK(running.wire().ask(get("/metrics"))->status == 404);  // not on the public one
  CHECK(running.wire().ask(get("/livez"))->status == 404);
  running.wire().ask("bad\r\n\r\n");
  answer = admin.ask(get("/metrics"));
  REQUIRE(answer);
  CHECK(answer->field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
  CHECK(answer->body.find("http_parse_errors_total{reason=\"bad_syntax\"} 1\n") != std::string::npos);
  // Where the sources are those of a commit, it is known without anybody's giving it.
  const bool is_checkout = std::filesystem::exists(PARLEY_SOURCE_DIR "/.git");
  const std::regex commit(is_checkout ? "build_info\\{commit=\"[0-9a-f]{40}\",version="
                                      : "build_info\\{commit=\"[^\"]+\",version=");
  CHECK(std::regex_search(answer->body, commit));
  CHECK(answer->body.find("http_requests_in_flight 0\n") != std::string::npos);
}

TEST_CASE("process: not ready") {
  Running running({{"TEST_NOT_READY", "1"}});
  auto admin = running.admin();
  const auto answer = admin.ask(get("/readyz"));
  REQUIRE(answer);
  CHECK(answer->status == 503);
  CHECK(answer->body == "the database is away\n");
  CHECK(admin.ask(get("/livez"))->status == 200);
}

TEST_CASE("process: the metrics are what Prometheus reads") {
  Running running;
  auto wire = running.wire();
  wire.ask(get("/api/things/x", member()));
  const auto answer = running.admin().ask(get("/metrics"));
  REQUIRE(answer);
  const std::regex comment("# (HELP|TYPE) [a-z_:][a-z0-9_:]* .+");
  const std::regex sample("([a-z_:][a-z0-9_:]*)(\\{([a-z_]+=\"[^\"\\\\\n]*\",?)*\\})? (-?[0-9.e+-]+|\\+Inf|Nan)");
  std::map<std::string, std::string> types;
  std::string line;
  for (std::size_t at = 0; at < answer->body.size(); at += line.size() + 1) {
    line = answer->body.substr(at, answer->body.find('\n', at) - at);
    INFO(line);
    std::smatch parts;
    if (line.starts_with("#")) {
      CHECK(std::regex_match(line, comment));
      if (line.starts_with("# TYPE ")) {
        const auto name = line.substr(7, line.find(' ', 7) - 7);
        CHECK(types.emplace(name, line.substr(line.rfind(' ') + 1)).second);  // each family once
        CHECK(name.ends_with("_total") == line.ends_with(" counter"));
      }
    } else {
      CHECK(std::regex_match(line, parts, sample));
    }
  }
  CHECK(types["http_requests_total"] == "counter");
  CHECK(types["http_request_duration_seconds"] == "histogram");
}

TEST_CASE("process: who may do what") {
  Running running;
  auto wire = running.wire();
  const auto& keys = chassis_tests::keys();
  const auto status = [&](const std::string& request) {
    const auto answer = wire.ask(request);
    REQUIRE(answer);
    return answer->status;
  };
  const auto id = model::new_uuid().text();
  const auto path = "/api/things/" + id;

  SUBCASE("no valid identity, no answer") {
    const std::string forged = member();
    for (const auto& fields :
         {std::string(), std::string("Parley-Identity: \r\n"), std::string("Parley-Identity: x.y\r\n"),
          service("gateway", keys.contacts), service("sample", identity::new_seed()),
          forged.substr(0, forged.size() - 5) + "\r\n", std::string("Authorization: Bearer x\r\n")}) {
      const auto answer = wire.ask(get(path, fields));
      REQUIRE(answer);
      CHECK(answer->status == 401);
      CHECK(answer->field("WWW-Authenticate") != "");
      CHECK(text_of(*answer, "instance") == path);
      CHECK(text_of(*answer, "requestId") == answer->field("X-Request-Id"));
    }
    CHECK(status(get("/internal/things")) == 401);
  }
  SUBCASE("a permission that lacks is named") {
    identity::PermissionSet permissions;
    CHECK(status(get(path, member())) == 200);
    auto answer = wire.ask(get(path, member(permissions)));
    REQUIRE(answer);
    CHECK(answer->status == 403);
    CHECK(text_of(*answer, "detail").find("Get:Contact") != std::string::npos);
    permissions.add(identity::Permission::get_contact);
    CHECK(status(get(path, member(permissions))) == 200);
    answer =
        wire.ask(post("/api/things", "{\"name\":\"x\"}", "Content-Type: application/json\r\n" + member(permissions)));
    REQUIRE(answer);
    CHECK(answer->status == 403);
    CHECK(text_of(*answer, "detail").find("Create:Contact") != std::string::npos);
    CHECK(status(get("/api/degraded", member(identity::PermissionSet{}))) == 200);
  }
  SUBCASE("internal routes are for the services named") {
    CHECK(status(get("/internal/things", service("contacts", keys.contacts))) == 200);
    CHECK(status(get("/internal/things", service("gateway", keys.gateway))) == 200);
    CHECK(status(get("/internal/things", member())) == 404);
    CHECK(status(get("/internal/things", service("analytics", keys.analytics))) == 404);
    CHECK(status(get("/internal/things", service("contacts", keys.analytics))) == 401);
  }
  SUBCASE("services do not go where members go") {
    CHECK(status(get(path, service("contacts", keys.contacts))) == 403);
    CHECK(status(get("/api/degraded", service("gateway", keys.gateway))) == 403);
  }
  SUBCASE("what is not there") {
    CHECK(status(get("/api/nothing", member())) == 404);
    CHECK(status(get("/api/things/x", member())) == 404);
    CHECK(status(get("/api/things/..%2f", member())) == 404);
    CHECK(status(get("/api//things/" + id, member())) == 404);
    CHECK(status(get("/api/things/" + std::string(8000, 'x'), member())) == 404);
    CHECK(status("FOO /api/nothing HTTP/1.1\r\nHost: a\r\n\r\n") == 404);
    const auto answer = wire.ask(post(path, "{}", member()));
    REQUIRE(answer);
    CHECK(answer->status == 405);
    CHECK(answer->field("Allow") == "GET, HEAD");
    CHECK(status("TRACE " + path + " HTTP/1.1\r\nHost: a\r\n\r\n") == 405);
  }
}

TEST_CASE("process: bodies") {
  Running running;
  auto wire = running.wire();
  const auto send = [&](const std::string& body, const std::string& type = "application/json") {
    const auto answer = wire.ask(post("/api/things", body, "Content-Type: " + type + "\r\n" + member()));
    REQUIRE(answer);
    return *answer;
  };
  auto answer = send(R"({"name":"x","more":1})");
  CHECK(answer.status == 201);
  CHECK(answer.body == R"({"name":"x"})");
  for (const std::string bad :
       {"", "{", "[]", "null", "\"x\"", "{}", R"({"name":1})", R"({"name":""})", R"({"name":"a","name":"b"})",
        R"({"name":"\u0000"})", R"({"name":"\ud800"})", "{\"name\":\"\xFF\"}", R"({"name":"x"}x)"}) {
    INFO(bad);
    CHECK(send(bad).status == 400);
  }
  answer = send(R"({"name":1})");
  CHECK(answer.field("Content-Type") == "application/problem+json");
  CHECK(answer.body.find(R"("pointer":"/name")") != std::string::npos);
  CHECK(send("{}", "text/plain").status == 415);
  wire.send(post("/api/things", std::string(1'048'577, ' '), "Content-Type: application/json\r\n" + member()));
  CHECK(wire.answer()->status == 413);
}

TEST_CASE("process: what breaks inside stays inside") {
  Running running;
  auto wire = running.wire();
  const auto answer = wire.ask(get("/api/broken", member() + "X-Request-Id: find-me\r\n"));
  REQUIRE(answer);
  CHECK(answer->status == 500);
  CHECK(answer->body.find("inside of it") == std::string::npos);
  CHECK(answer->field("X-Request-Id") == "find-me");
  CHECK(running.says("the inside of it"));
  CHECK(running.written().find("\"request_id\":\"find-me\"") != std::string::npos);
  CHECK(running.written().find("\"key_id\":\"key-1\"") != std::string::npos);
  const auto partly = wire.ask(get("/api/degraded", member()));
  REQUIRE(partly);
  CHECK(partly->field("Parley-Degraded") == "conversations, organizations");
  CHECK(running.admin().ask(get("/metrics"))->body.find("http_degraded_answers_total{context=\"organizations\"} 1") !=
        std::string::npos);
}

TEST_CASE("process: commands") {
  SUBCASE("--check-config") {
    CHECK(Running({}, {"--check-config"}).wait() == 0);
    Running bad({{"PARLEY_LISTEN", "x"}, {"PARLEY_SAMPLE_NUMBER", "99"}, {"PARLEY_IDENTITY_KEY", "changeme"}},
                {"--check-config"});
    CHECK(bad.wait() == 2);
    for (const auto* name : {"PARLEY_LISTEN ", "PARLEY_SAMPLE_NUMBER ", "PARLEY_IDENTITY_KEY "})
      CHECK(bad.written().find(std::string("parley-sample: ") + name) != std::string::npos);
    CHECK(bad.written().find("is not read") == std::string::npos);
    Running misspelt({{"PARLEY_LISTEN", "x"},
                      {"PARLEY_SAMPLE_NUMBRE", "9"},
                      {"PARLEY_IDENTITY_KEY", ""},
                      {"PARLEY_IDENTTIY_KEY", "x"}},
                     {"--check-config"});
    CHECK(misspelt.wait() == 2);
    for (const auto* told :
         {"parley-sample: PARLEY_LISTEN ", "parley-sample: PARLEY_IDENTITY_KEY ",
          "PARLEY_SAMPLE_NUMBRE is not read by this program\n", "PARLEY_IDENTTIY_KEY is not read by this program\n"})
      CHECK(misspelt.written().find(told) != std::string::npos);
  }
  SUBCASE("generate-key") {
    Running running({}, {"generate-key"});
    CHECK(running.wait() == 0);
    model::Fault fault;
    const auto json = model::parse(running.written(), fault);
    REQUIRE(json);
    const auto seed = identity::key_from_base64(json->as_object().at("private").as_string().c_str());
    REQUIRE(seed);
    CHECK(json->as_object().at("public").as_string().c_str() == public_text(*seed));
  }
  SUBCASE("--help, --version, nonsense") {
    CHECK(Running({}, {"--help"}).wait() == 0);
    CHECK(Running({}, {"--version"}).wait() == 0);
    CHECK(Running({}, {"dance"}).wait() != 0);
    CHECK(Running({}, {"migrate"}).wait() != 0);  // it has no database
  }
  SUBCASE("a port that is taken") {
    const ScriptedServer there([](ScriptedServer::Peer&, int) {});
    Running running({{"PARLEY_LISTEN", "127.0.0.1:" + std::to_string(there.port())}});
    CHECK(running.wait() == 1);
    CHECK(running.written().find("cannot listen") != std::string::npos);
  }
}
