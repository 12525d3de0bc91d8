// Idempotency-Key: what a repeated request gets, and what is no repetition.
#include "common/chassis/idempotency/sql.hpp"
#include "tests/integration/change_bed.hpp"

using namespace parley;
using namespace parley::change_tests;

namespace {

std::string detail(const http::Response& response) {
  model::Fault fault;
  const auto json = model::parse(response.body, fault);
  REQUIRE(json);
  const auto& text = json->as_object().at("detail").as_string();
  return {text.data(), text.size()};
}

bool says(const http::Response& response, std::string_view part) {
  INFO(response.body);
  return detail(response).find(part) != std::string::npos;
}

void make_older(Service& service, const std::string& age) {
  service.sql.rows("UPDATE idempotency SET created_at = created_at - interval '" + age + "'");
}

}  // namespace

TEST_SUITE("integration: change, keys") {
  TEST_CASE("the same request again is answered byte for byte, and nothing is done") {
    Service service;
    const auto first = service.send({.key = "k1"});
    REQUIRE(first.status == 201);
    CHECK(field(first, "Idempotency-Replayed").empty());
    for (int i = 0; i < 3; ++i) {
      const auto again = service.send({.key = "k1"});
      CHECK(again.status == 201);
      CHECK(again.body == first.body);
      CHECK(field(again, "Location") == field(first, "Location"));
      CHECK(field(again, "Content-Type") == "application/json");
      CHECK(again.content_type.empty());  // or it would be written twice
      CHECK(field(again, "Idempotency-Replayed") == "true");
      CHECK(field(again, "X-Request-Id") != field(first, "X-Request-Id"));
    }
    CHECK(service.runs == 1);
    CHECK(service.things() == 1);
    CHECK(service.send({.key = "k2"}).status == 201);
    CHECK(service.things() == 2);
  }

  TEST_CASE("without a key each request is its own, and nothing is kept") {
    Service service;
    CHECK(service.send({}).status == 201);
    CHECK(service.send({}).status == 201);
    CHECK(service.things() == 2);
    CHECK(service.recorded() == 0);
  }

  TEST_CASE("a key is for one request: another body, path, query, method or member is a 422") {
    Service service;
    const auto id = service.add_thing("a");
    REQUIRE(service.send({.key = "k"}).status == 201);
    const auto path = "/api/things/" + id.text();
    const Ask others[] = {{.body = R"({"name":"two"})", .key = "k"},
                          {.body = R"({"name": "one"})", .key = "k"},
                          {.target = path, .key = "k"},
                          {.target = "/api/things?x=1", .key = "k"},
                          {.method = Method::del, .target = path, .key = "k"},
                          {.key = "k", .member = model::new_uuid()}};
    for (const auto& other : others) {
      const auto answer = service.send(other);
      CHECK(answer.status == 422);
      CHECK(says(answer, "Idempotency-Key"));
    }
    CHECK(service.runs == 1);
    CHECK(service.things() == 2);
    CHECK(service.name_of(id) == "a");
    // What does not make it another request.
    CHECK(service.send({.key = "k", .fields = {{"Accept", "*/*"}, {"User-Agent", "other"}}}).status == 201);
    CHECK(service.runs == 1);
  }

  TEST_CASE("organizations do not meet in a key") {
    Service service;
    const auto ours = service.send({.key = "k"});
    const auto theirs = service.send({.key = "k", .organization = model::new_uuid()});
    CHECK(theirs.status == 201);
    CHECK(theirs.body != ours.body);
    CHECK(service.things() == 2);
  }

  TEST_CASE("what is no key is a 400 that names it, before anything is done") {
    Service service;
    for (const std::string& bad :
         {std::string(256, 'a'), std::string("a\tb"), std::string("caf\xC3\xA9"), std::string("\x7F")}) {
      const auto answer = service.send({.key = bad});
      CHECK(answer.status == 400);
      CHECK(says(answer, "Idempotency-Key"));
    }
    CHECK(service.send({.fields = {{"Idempotency-Key", ""}}}).status == 400);
    CHECK(service.send({.key = "a", .fields = {{"idempotency-key", "a"}}}).status == 400);
    CHECK(service.runs == 0);
    for (const std::string& good : {std::string(255, '~'), std::string("\"8e03 978e\""), std::string("x")})
      CHECK(service.send({.key = good}).status == 201);
  }

  TEST_CASE("what is refused or fails keeps nothing: the key is free again") {
    Service service;
    CHECK(service.send({.body = R"({"name":"refused"})", .key = "k"}).status == 409);
    CHECK(service.recorded() == 0);
    service.before_commit = [] { throw std::runtime_error("broken"); };
    CHECK(service.send({.key = "k"}).status == 500);
    CHECK(service.things() == 0);
    CHECK(service.recorded() == 0);
    service.before_commit = nullptr;
    CHECK(service.send({.key = "k"}).status == 201);  // though the body is another one than the first
    CHECK(service.things() == 1);
  }

  TEST_CASE("a DELETE may have a key: again it is a 204, not a 404") {
    Service service;
    const auto id = service.add_thing("a");
    const Ask ask{.method = Method::del, .target = "/api/things/" + id.text(), .key = "k"};
    for (int i = 0; i < 2; ++i) {
      const auto answer = service.send(ask);
      CHECK(answer.status == 204);
      CHECK(answer.body.empty());
      CHECK(answer.content_type.empty());
      CHECK(field(answer, "Content-Type").empty());
    }
    CHECK(service.send({.method = Method::del, .target = ask.target}).status == 404);
  }

  TEST_CASE("secrets are not kept, nor keys and bodies in the clear") {
    Service service;
    const Ask ask{.target = "/api/secrets", .body = R"({"name":"hunter2"})", .key = "my-secret-key"};
    const auto first = service.send(ask);
    CHECK(first.status == 201);
    const auto again = service.send(ask);
    CHECK(again.status == 409);
    CHECK(says(again, "shown once"));
    CHECK(field(again, "Retry-After").empty());
    CHECK(service.send({.target = "/api/secrets", .key = ask.key}).status == 422);
    CHECK(service.things() == 1);
    const auto row = service.sql.value("SELECT idempotency::text || convert_from(key_hash, 'LATIN1') FROM idempotency");
    CHECK(row.find("hunter2") == row.npos);
    CHECK(row.find("my-secret") == row.npos);
    CHECK(service.sql.number("SELECT count(*) FROM idempotency WHERE body IS NOT NULL") == 0);
  }

  TEST_CASE("long answers are kept until there were many of an organization's on a day, short ones after that too") {
    Service service;
    const auto make = [&](const std::string& key, std::size_t length, const Uuid& organization = {}) {
      const auto body = R"({"name":")" + std::string(length, 'n') + "\"}";
      return service.send({.body = body, .key = key, .organization = organization});
    };
    const auto other = model::new_uuid();
    for (int i = 0; i < 270; ++i) REQUIRE_EQ(make(std::to_string(i), 1'000'000).status, 201);
    REQUIRE_EQ(make("longest", 1 << 20, other).status, 201);
    REQUIRE_EQ(make("long", 1'000'000, other).status, 201);
    REQUIRE_EQ(make("short", 3'000).status, 201);
    const auto things = service.things();
    for (const auto& again : {make("0", 1'000'000), make("short", 3'000), make("long", 1'000'000, other)}) {
      CHECK_EQ(again.status, 201);
      CHECK_EQ(field(again, "Idempotency-Replayed"), "true");
    }
    for (const auto& again : {make("269", 1'000'000), make("longest", 1 << 20, other)}) {
      CHECK_EQ(again.status, 409);
      CHECK(says(again, "longer than is kept"));
    }
    CHECK_EQ(service.things(), things);
    CHECK_LE(service.sql.number("SELECT sum(octet_length(body)) FROM idempotency"), (256 << 20) + (2 << 20));
  }

  TEST_CASE("a body that is taken in pieces counts by what the handler says of it") {
    Service service;
    const auto upload = [&](const std::string& text, std::size_t piece) {
      return service.send({.target = "/api/uploads", .body = text, .key = "k", .piece = piece, .streamed = true});
    };
    const auto first = upload("abcdefgh", 3);
    REQUIRE(first.status == 201);
    CHECK(upload("abcdefgh", 5).body == first.body);
    CHECK(upload("abxdefgh", 5).status == 422);
    CHECK(service.things() == 1);
    // And one that is read whole is the same however it came.
    const auto whole = service.send({.key = "k2"});
    CHECK(service.send({.key = "k2", .piece = 4}).body == whole.body);
  }

  TEST_CASE("a body that the handler does not read counts, too") {
    Service service;
    const auto clear = [&, id = service.add_thing("a")](const std::string& body) {
      return service.send({.target = "/api/things/" + id.text() + "/clear", .body = body, .key = "k"});
    };
    CHECK(clear("{}").status == 204);
    CHECK(field(clear("{}"), "Idempotency-Replayed") == "true");
    CHECK(clear("").status == 422);
    CHECK(service.runs == 1);
  }

  TEST_CASE("a degraded answer is kept with what it says it lacks, once") {
    Service service;
    service.degraded = true;
    CHECK(field(service.send({.key = "k"}), "Parley-Degraded") == "contacts");
    const auto again = service.send({.key = "k"});
    CHECK(field(again, "Parley-Degraded") == "contacts");
    CHECK(again.head.find("Parley-Degraded") == again.head.rfind("Parley-Degraded"));
  }

  TEST_CASE("a key lasts 24 hours, and is pruned after them a bounded number at a time") {
    Service service;
    const auto first = service.send({.key = "k"});
    make_older(service, "23:59:00");
    CHECK(service.send({.key = "k"}).body == first.body);
    make_older(service, "00:02:00");
    const auto second = service.send({.key = "k"});
    CHECK(second.status == 201);
    CHECK(second.body != first.body);
    CHECK(service.send({.key = "k"}).body == second.body);
    CHECK(service.things() == 2);
    CHECK(service.recorded() == 1);

    for (int i = 0; i < 5; ++i) REQUIRE(service.send({.key = std::to_string(i)}).status == 201);
    service.sql.rows(
        "UPDATE idempotency SET created_at = created_at - interval '25 hours' WHERE key_hash NOT IN "
        "(SELECT key_hash FROM idempotency ORDER BY key_hash LIMIT 2)");
    const auto prune = [&](int most) {
      std::uint64_t removed = 0;
      bool done = false;
      service.process.spawn("prune", [](pg::Pool& pool, int bound, std::uint64_t& out, bool& over) -> awaitable<void> {
        out = (co_await pool.write(pg::Batch(chassis::idempotency::prune, bound))).affected();
        over = true;
      }(service.pool, most, removed, done));
      service.turn_until([&] { return done; });
      return removed;
    };
    CHECK(prune(3) == 3);
    CHECK(service.recorded() == 3);
    CHECK(prune(3) == 1);
    CHECK(prune(3) == 0);
    CHECK(service.recorded() == 2);
  }
}
