// A small program made of the chassis, as a process of its own: its ports, its guards, its end.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/describe/class.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <regex>
#include <string>

#include "common/chassis/peer.hpp"
#include "common/chassis/program.hpp"
#include "tests/integration/http_bed.hpp"

namespace sample {

struct Thing {
  std::string name;
};
BOOST_DESCRIBE_STRUCT(Thing, (), (name))

}  // namespace sample

namespace {

using namespace parley;
using namespace parley::http_tests;
using boost::asio::awaitable;
using identity::Permission;

class Api {
 public:
  explicit Api(chassis::Process& process) {
    auto routes = process.pipeline().mount(*this);
    routes.get("/api/things/{id}", Permission::get_contact, &Api::find);
    routes.post("/api/things", Permission::create_contact, &Api::create);
    routes.get("/api/slow", chassis::AnyMember{}, &Api::slow);
    routes.get("/api/broken", chassis::AnyMember{}, &Api::broken);
    routes.get("/api/degraded", chassis::AnyMember{}, &Api::degraded);
    routes.get("/internal/things", chassis::Services{{"contacts", "gateway"}}, &Api::internal);
  }

 private:
  awaitable<http::Response> find(chassis::Call& call) {
    co_return http::json_response(sample::Thing{call.id().text() + " of " + call.organization().text()});
  }
  awaitable<http::Response> create(chassis::Call& call) {
    const auto thing = co_await call.body<sample::Thing>();
    http::Faults faults;
    faults.check_text("/name", thing.name, 1, 255);
    faults.throw_if_any();
    co_return http::json_response(thing, 201);
  }
  awaitable<http::Response> slow(chassis::Call&) {
    co_await pause_for(3s);
    co_return http::json_response(sample::Thing{"slow"});
  }
  awaitable<http::Response> broken(chassis::Call&) {
    throw std::runtime_error("the inside of it");
    co_return http::Response{};
  }
  awaitable<http::Response> degraded(chassis::Call& call) {
    call.degraded("conversations");
    call.degraded("organizations");
    co_return http::json_response(sample::Thing{"partly"});
  }
  awaitable<http::Response> internal(chassis::Call& call) {
    co_return http::json_response(sample::Thing{call.identity.service});
  }
};

class Application final : public chassis::Application {
 public:
  explicit Application(chassis::Process& process) : process_(process), api_(process) {}
  void start() override { process_.spawn("forever", forever()); }
  std::string not_ready() const override { return std::getenv("TEST_NOT_READY") ? "the database is away" : ""; }
  awaitable<void> stop() override {
    if (std::getenv("TEST_STOP_FAILS")) throw std::runtime_error("cannot stop");
    co_return;
  }

 private:
  awaitable<void> forever() {  // still waits when the loop ends, and refers to this when it does
    struct Farewell {
      Application& application;
      ~Farewell() { application.process_.log().info("farewell"); }
    };
    const Farewell farewell{*this};
    for (;;) co_await pause_for(1h);
  }
  chassis::Process& process_;
  Api api_;
};

// A process of the program above, and what it writes.
class Running {
 public:
  explicit Running(const std::map<std::string, std::string>& environment = {},
                   std::vector<std::string> arguments = {}) {
    identity::start_cryptography();
    int output[2];
    REQUIRE(::pipe2(output, O_CLOEXEC) == 0);
    std::fflush(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(output[1], STDOUT_FILENO);
      ::dup2(output[1], STDERR_FILENO);
      become(environment, std::move(arguments));
    }
    ::close(output[1]);
    output_ = output[0];
  }
  ~Running() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::close(output_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  // Reads its output until there is such a piece of it; false when it ends without, or after 30 s.
  bool says(const std::string& text) {
    char octets[4096];
    for (;;) {
      if (written_.find(text) != std::string::npos) return true;
      pollfd readable{output_, POLLIN, 0};
      if (::poll(&readable, 1, 30'000) != 1) return false;
      const auto got = ::read(output_, octets, sizeof octets);
      if (got <= 0) return false;
      written_.append(octets, static_cast<std::size_t>(got));
    }
  }
  void signal(int number) { ::kill(process_, number); }
  // Its exit status, -1 if a signal ended it.
  int wait() {
    says("there is no such line");
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  unsigned short port(const std::string& name = "port") {
    REQUIRE(says("\"msg\":\"serving\""));
    const auto at = written_.find("\"" + name + "\":");
    REQUIRE(at != std::string::npos);
    return static_cast<unsigned short>(std::stoi(written_.substr(at + name.size() + 3)));
  }
  Wire wire() { return Wire(port()); }
  Wire admin() { return Wire(port("admin_port")); }
  const std::string& written() const { return written_; }

  struct Keys {
    identity::Seed own = identity::new_seed(), gateway = identity::new_seed(), contacts = identity::new_seed(),
                   analytics = identity::new_seed();
  };
  static const Keys& keys() {
    identity::start_cryptography();
    static const Keys keys;
    return keys;
  }
  static std::string public_text(const identity::Seed& seed) {
    const auto key = identity::public_key_of(seed);
    return identity::to_base64(key.data(), key.size());
  }

 private:
  [[noreturn]] static void become(const std::map<std::string, std::string>& environment,
                                  std::vector<std::string> arguments) {
    const auto& k = keys();
    ::setenv("PARLEY_LISTEN", "127.0.0.1:0", 1);
    ::setenv("PARLEY_ADMIN_LISTEN", "127.0.0.1:0", 1);
    ::setenv("PARLEY_IDENTITY_KEY", identity::to_base64(k.own.data(), k.own.size()).c_str(), 1);
    const auto trusted = "gateway=" + public_text(k.gateway) + ",contacts=" + public_text(k.contacts) +
                         ",analytics=" + public_text(k.analytics);
    ::setenv("PARLEY_IDENTITY_TRUSTED", trusted.c_str(), 1);
    ::setenv("PARLEY_DRAIN_NOTICE_MS", "1500", 1);
    ::setenv("PARLEY_DRAIN_TIME_MS", "20000", 1);
    ::setenv("PARLEY_LOG_LEVEL", "debug", 1);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    arguments.insert(arguments.begin(), "parley-sample");
    std::vector<char*> words;
    for (auto& argument : arguments) words.push_back(argument.data());
    const auto status =
        chassis::run(static_cast<int>(words.size()), words.data(),
                     {.name = "sample",
                      .description = "A sample",
                      .listen = "127.0.0.1:0",
                      .admin_listen = "127.0.0.1:0",
                      .configure = [](chassis::Environment& e) -> chassis::Factory {
                        e.number("PARLEY_SAMPLE_NUMBER", 1, 1, 10);
                        return [](chassis::Process& process) { return std::make_unique<Application>(process); };
                      }});
    std::fflush(nullptr);
    std::_Exit(status);
  }

  pid_t process_ = -1;
  int output_ = -1;
  std::string written_;
};

std::string identity_field(const std::string& token) { return "Parley-Identity: " + token + "\r\n"; }

std::string member(identity::PermissionSet permissions = identity::PermissionSet::all()) {
  static const identity::Signer gateway("gateway", Running::keys().gateway);
  static const auto organization = model::new_uuid();
  return identity_field(gateway.sign({.service = "",
                                      .organization_id = organization,
                                      .member_id = organization,
                                      .permissions = permissions,
                                      .credential_id = "key-1"}));
}

std::string service(const std::string& name, const identity::Seed& seed) {
  identity::Signer signer(name, seed);
  return identity_field(signer.own_token());
}

// Until one request is under way.
void wait_until_serving(Wire& admin) {
  for (int i = 0; i < 3000; ++i) {
    const auto answer = admin.ask(get("/metrics"));
    REQUIRE(answer);
    if (answer->body.find("http_requests_in_flight 1\n") != std::string::npos) return;
    std::this_thread::sleep_for(1ms);
  }
  FAIL("no request is under way");
}

std::string text_of(const Answer& answer, const char* key) {
  model::Fault fault;
  const auto json = model::parse(answer.body, fault);
  REQUIRE(json);
  return std::string(json->as_object().at(key).as_string());
}

}  // namespace

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
  CHECK(answer->body.find("build_info{version=") != std::string::npos);
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
  const auto& keys = Running::keys();
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
    permissions.add(Permission::get_contact);
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
  CHECK(running.admin().ask(get("/metrics"))->body.find("http_degraded_answers_total{route=\"/api/degraded\"} 1") !=
        std::string::npos);
}

TEST_CASE("process: SIGTERM finishes what is under way") {
  Running running;
  auto busy = running.wire(), idle = running.wire();
  auto admin = running.admin();
  CHECK(idle.ask(get("/api/degraded", member()))->keep_alive);
  busy.send(get("/api/slow", member()));
  wait_until_serving(admin);
  running.signal(SIGTERM);
  CHECK(running.says("draining"));
  const auto ready = admin.ask(get("/readyz"));
  REQUIRE(ready);
  CHECK(ready->status == 503);
  CHECK(ready->body == "draining\n");
  auto late = running.wire();  // still served, for a while
  const auto last = late.ask(get("/api/degraded", member()));
  REQUIRE(last);
  CHECK(last->status == 200);
  CHECK_FALSE(last->keep_alive);
  const auto answer = busy.answer();
  REQUIRE(answer);
  CHECK(text_of(*answer, "name") == "slow");
  CHECK_FALSE(answer->keep_alive);
  CHECK(idle.ended());
  CHECK(running.wait() == 0);
  CHECK(running.written().find("farewell") != std::string::npos);
  CHECK(running.written().find("\"msg\":\"stopped\"") != std::string::npos);
  std::size_t begin = 0;
  for (std::size_t end; (end = running.written().find('\n', begin)) != std::string::npos; begin = end + 1) {
    model::Fault fault;
    CHECK(model::parse(running.written().substr(begin, end - begin), fault));
  }
}

TEST_CASE("process: whoever stays past the drain's time is cut off") {
  Running running({{"PARLEY_DRAIN_TIME_MS", "100"}, {"PARLEY_DRAIN_NOTICE_MS", "0"}});
  auto busy = running.wire(), half = running.wire();
  busy.send(get("/api/slow", member()));
  half.send("GET /api/");
  auto admin = running.admin();
  wait_until_serving(admin);
  running.signal(SIGINT);
  CHECK(running.wait() == 0);
  CHECK(running.written().find("cut off") != std::string::npos);
  CHECK_FALSE(busy.answer());
}

TEST_CASE("process: a second SIGTERM ends it at once") {
  Running running({{"PARLEY_DRAIN_NOTICE_MS", "60000"}});
  running.port();
  running.signal(SIGTERM);
  CHECK(running.says("draining"));
  running.signal(SIGTERM);
  CHECK(running.wait() == 1);
}

TEST_CASE("process: an application that cannot stop does not keep it alive") {
  Running running({{"TEST_STOP_FAILS", "1"}, {"PARLEY_DRAIN_NOTICE_MS", "0"}});
  running.port();
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  CHECK(running.written().find("cannot stop") != std::string::npos);
}

TEST_CASE("process: commands") {
  SUBCASE("--check-config") {
    CHECK(Running({}, {"--check-config"}).wait() == 0);
    Running bad({{"PARLEY_LISTEN", "x"}, {"PARLEY_SAMPLE_NUMBER", "99"}, {"PARLEY_IDENTITY_KEY", "changeme"}},
                {"--check-config"});
    CHECK(bad.wait() == 2);
    for (const auto* name : {"PARLEY_LISTEN ", "PARLEY_SAMPLE_NUMBER ", "PARLEY_IDENTITY_KEY "})
      CHECK(bad.written().find(std::string("parley-sample: ") + name) != std::string::npos);
  }
  SUBCASE("generate-key") {
    Running running({}, {"generate-key"});
    CHECK(running.wait() == 0);
    model::Fault fault;
    const auto json = model::parse(running.written(), fault);
    REQUIRE(json);
    const auto seed = identity::key_from_base64(json->as_object().at("private").as_string().c_str());
    REQUIRE(seed);
    CHECK(json->as_object().at("public").as_string().c_str() == Running::public_text(*seed));
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
