// Idempotency-Key under crowds, slow handlers and connections that are lost at the worst moment.
#include <algorithm>

#include "tests/integration/change_bed.hpp"

using namespace parley;
using namespace parley::change_tests;

namespace {

// Holds handlers in their transactions until it is opened.
class Gate {
 public:
  explicit Gate(Service& service) {
    service.in_transaction = [this]() -> awaitable<void> {
      ++waiting;
      while (!open) co_await pg_tests::pause_for(1ms);
    };
  }
  bool open = false;
  int waiting = 0;
};

long count(const std::vector<http::Response>& answers, unsigned status) {
  return std::count_if(answers.begin(), answers.end(), [&](const auto& answer) { return answer.status == status; });
}

std::int64_t idle_writers(Service& service) { return service.pool.stats(pg::Lane::write).idle; }

}  // namespace

TEST_SUITE("integration: change, crowds") {
  TEST_CASE("50 at once with one key and a slow handler: one effect, and nobody waits for it") {
    Service service;
    Gate gate(service);
    const auto first = service.launch({.key = "k"});
    service.turn_until([&] { return gate.waiting == 1; });

    const auto crowd = service.send_all(std::vector<Ask>(50, Ask{.key = "k"}));  // all are answered while it runs
    CHECK(count(crowd, 409) == 50);
    CHECK(field(crowd.front(), "Retry-After") == "1");
    CHECK_FALSE(first->has_value());
    service.turn_until([&] { return idle_writers(service) == 7; });

    // Others go through meanwhile, more at once than there are connections.
    service.in_transaction = nullptr;
    const auto others = service.send_all(std::vector<Ask>(40, Ask{}));
    CHECK(count(others, 201) == 40);
    CHECK_FALSE(first->has_value());

    gate.open = true;
    service.turn_until([&] { return first->has_value(); });
    CHECK((*first)->status == 201);
    CHECK(service.things() == 41);
    const auto again = service.send_all(std::vector<Ask>(50, Ask{.key = "k"}));
    for (const auto& answer : again) {
      if (answer.status == 409) continue;  // they take turns in looking, too
      CHECK(answer.status == 201);
      CHECK(answer.body == (*first)->body);
    }
    CHECK(count(again, 201) >= 1);
    CHECK(count(again, 201) + count(again, 409) == 50);
    CHECK(service.things() == 41);
  }

  TEST_CASE("50 at once with one key, from nothing: one effect, one body") {
    Service service;
    for (int round = 0; round < 5; ++round) {
      const auto key = "round " + std::to_string(round);
      std::string body;
      // As a client does: those that are told to try again do so.
      for (std::size_t left = 50; left > 0;) {
        const auto answers = service.send_all(std::vector<Ask>(left, Ask{.key = key}));
        left = static_cast<std::size_t>(count(answers, 409));
        for (const auto& answer : answers) {
          if (answer.status == 409) continue;
          CHECK(answer.status == 201);
          if (body.empty()) body = answer.body;
          CHECK(answer.body == body);
        }
      }
      CHECK(service.things() == round + 1);
      CHECK(service.runs == round + 1);
    }
  }

  TEST_CASE("50 at once with one key: who works before the first statement is told of the one that does") {
    Service service;
    int asked = 0;
    bool is_done = false;
    service.before_statement = [&]() -> awaitable<void> {
      ++asked;
      while (!is_done) co_await pg_tests::pause_for(1ms);
    };
    const auto first = service.launch({.key = "k"});
    service.turn_until([&] { return asked == 1; });
    CHECK(count(service.send_all(std::vector<Ask>(50, Ask{.key = "k"})), 409) == 50);
    const auto other = service.launch({.key = "k", .organization = model::new_uuid()});
    service.turn_until([&] { return asked == 2; });
    is_done = true;
    service.turn_until([&] { return first->has_value() && other->has_value(); });
    CHECK((*first)->status == 201);
    CHECK((*other)->status == 201);
    CHECK(service.send({.key = "k"}).body == (*first)->body);
    CHECK(service.send({.body = R"({"name":"refused"})", .key = "k"}).status == 422);
  }

  TEST_CASE("what is refused because another process has done the same request meanwhile gets its answer") {
    Service service;
    const auto first = service.send({.key = "k"});
    REQUIRE(first.status == 201);
    const auto make_older = [&](const std::string& days) {
      service.sql.rows("UPDATE idempotency SET created_at = created_at - interval '" + days + " days'");
    };
    make_older("2");  // as if it were not done yet
    int asked = 0;
    bool is_done = false;
    service.before_statement = [&]() -> awaitable<void> {
      ++asked;
      while (!is_done) co_await pg_tests::pause_for(1ms);
      throw http::Problem({.status = 409, .detail = "it is there already"});
    };
    const auto refused = service.launch({.key = "k"});
    service.turn_until([&] { return asked == 1; });
    make_older("-2");
    is_done = true;
    service.turn_until([&] { return refused->has_value(); });
    CHECK((*refused)->status == 201);
    CHECK((*refused)->body == first.body);
    CHECK(field(**refused, "Idempotency-Replayed") == "true");
    CHECK(service.things() == 1);
  }

  TEST_CASE("the connection is lost at COMMIT, before the server has it: done by the next attempt") {
    Service service;
    service.before_commit = [&] { service.way.loss = Way::Loss::request; };
    const auto lost = service.send({.key = "k"});
    CHECK(lost.status == 504);
    CHECK(field(lost, "Retry-After").empty());  // who has no key is not to send it again blindly
    CHECK(lost.body.find("not known") != lost.body.npos);
    service.before_commit = nullptr;
    http::Response again;
    service.turn_until([&] {  // 409 until the server has noticed
      again = service.send({.key = "k"});
      return again.status != 409;
    });
    CHECK(again.status == 201);
    CHECK(field(again, "Idempotency-Replayed").empty());
    CHECK(service.things() == 1);
    CHECK(service.runs == 2);
  }

  TEST_CASE("the connection is lost at COMMIT, after the server has done it: the next attempt is told the answer") {
    Service service;
    service.before_commit = [&] { service.way.loss = Way::Loss::answer; };
    CHECK(service.send({.key = "k"}).status == 504);
    service.before_commit = nullptr;
    http::Response again;
    service.turn_until([&] {
      again = service.send({.key = "k"});
      return again.status != 409;
    });
    CHECK(again.status == 201);
    CHECK(field(again, "Idempotency-Replayed") == "true");
    CHECK(again.body.find(service.sql.value("SELECT id::text FROM thing")) != again.body.npos);
    CHECK(service.things() == 1);
    CHECK(service.runs == 1);
  }

  TEST_CASE("a handler whose connection is ended in its midst has done nothing, and its key is free") {
    Service service;
    Gate gate(service);
    const auto first = service.launch({.key = "k"});
    service.turn_until([&] { return gate.waiting == 1; });
    service.sql.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND state = 'idle in transaction'");
    gate.open = true;
    service.turn_until([&] { return first->has_value(); });
    CHECK((*first)->status == 503);
    CHECK(service.things() == 0);
    CHECK(service.send({.key = "k"}).status == 201);
    CHECK(service.things() == 1);
  }

  TEST_CASE("a deadlock's victim runs again under its key") {
    Service service;
    int attempts = 0;
    service.before_commit = [&] {
      if (++attempts == 1) throw pg::SqlError("tests", "40P01", "deadlock detected", "", "");
    };
    CHECK(service.send({.key = "k"}).status == 201);
    CHECK(attempts == 2);
    CHECK(service.things() == 1);
    CHECK(service.recorded() == 1);
  }
}
