// What the gateway remembers of callers, against an organizations service that the test plays: it says when an answer
// or an event comes.
#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <functional>
#include <map>

#include "common/events/event.hpp"
#include "common/http/body.hpp"
#include "common/http/server.hpp"
#include "common/identity/api_key.hpp"
#include "gateway/authentication.hpp"
#include "tests/support/process.hpp"

using namespace parley;
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

struct Key {
  identity::ApiKey key = identity::ApiKey::create(model::new_uuid(), model::new_uuid());
  model::Uuid member = model::new_uuid(), person = model::new_uuid();
  bool revoked = false;
  std::optional<std::int64_t> good_for_ms;
};

// Plays organizations.
class Organizations {
 public:
  Organizations(asio::io_context& context, http::DeadlineSweeper& wheel)
      : context_(context),
        server_(context, wheel, {asio::ip::make_address("127.0.0.1"), 0}, {},
                {[this](http::Request& request) { return serve(request); },
                 [](unsigned status, std::string_view, std::string_view) {
                   return http::to_response({.status = status, .detail = {}}, "", "");
                 }}) {
    server_.start();
  }
  ~Organizations() { server_.close_all(); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.endpoint().port()); }

  void tell(const events::AccessChanged& change) {
    events::Changes changes;
    changes.add(change);
    tell(changes.json());
  }
  void tell(model::RawJson changes) { events_.push_back({++head, std::move(changes)}); }

  model::Uuid epoch = model::new_uuid();
  std::int64_t head = 7, pruned = 0;
  bool unsequenced = false;
  bool feed_fails = false, verify_fails = false, verify_waits = false;
  std::optional<std::string> verify_says;     // with 200, instead of a verdict
  unsigned verify_answers = 0;                // if not 0: this status instead, with nothing about the key
  int questions = 0, waiting = 0, heard = 0;  // heard: questions to the feed that were answered
  std::int64_t asked_after = -1;              // where the gateway stands
  std::map<model::Uuid, Key*> keys;

 private:
  http::awaitable<http::Response> serve(http::Request& request) {
    if (request.path == "/internal/events") co_return co_await feed(std::string(request.query));
    const auto body = std::string(co_await request.body());
    co_return co_await verify(boost::json::parse(body));
  }

  http::awaitable<http::Response> feed(std::string query) {
    const auto at = query.find("after=");
    asked_after = at == query.npos ? -1 : std::stoll(query.substr(at + 6));
    const auto after = asked_after;
    for (int i = 0; i < 4 && !feed_fails && after >= head; ++i) co_await sleep(20ms);
    if (feed_fails) co_return http::to_response({.status = 503, .detail = "not now"}, "", "");
    events::FeedPage page{epoch, head, pruned, unsequenced, {}};
    for (const auto& event : events_)
      if (after >= 0 && event.position > after) page.events.push_back(event);
    ++heard;
    co_return http::json_response(page);
  }

  http::awaitable<http::Response> verify(boost::json::value question) {
    ++questions;
    if (verify_fails) co_return http::to_response({.status = 503, .detail = "not now"}, "", "");
    if (verify_answers != 0) co_return http::to_response({.status = verify_answers, .detail = "what?"}, "", "");
    if (verify_says) {
      http::Response said;
      said.body = *verify_says;
      co_return said;
    }
    const auto& named = question.at("key").at("credentialId").as_string();
    const Key& key = *keys.at(*model::Uuid::parse({named.data(), named.size()}));
    const bool revoked = key.revoked;  // as it is now: what happens until the answer is out is not in it
    ++waiting;
    while (verify_waits) co_await sleep(2ms);
    --waiting;
    if (revoked)
      co_return http::to_response({.status = 401, .detail = "no", .errors = {{"/key", "is not good"}}}, "", "");
    http::Response answer;
    answer.body = R"({"organizationId":")" + key.key.organization_id.text() + R"(","memberId":")" + key.member.text() +
                  R"(","personId":")" + key.person.text() +
                  R"(","accessLevel":"Member","permissions":"1","credentialId":")" + key.key.credential_id.text() +
                  R"(","homeId":")" + key.key.organization_id.text() + R"(","holderId":")" + key.member.text() +
                  R"(","goodForMs":)" + (key.good_for_ms ? std::to_string(*key.good_for_ms) : "null") + "}";
    co_return answer;
  }

  http::awaitable<void> sleep(std::chrono::milliseconds time) {
    asio::steady_timer timer(context_, time);
    co_await timer.async_wait(asio::deferred);
  }

  asio::io_context& context_;
  std::vector<events::Event> events_;
  http::Server server_;
};

class Bed {
 public:
  explicit Bed(gateway::VerdictTimes times = {})
      : process_(support::process_settings("gateway")),
        organizations(process_.context(), process_.wheel()),
        peer_(process_, "organizations", organizations.url()),
        authentication_(process_, peer_, {.wait = 1, .answer_time = 500ms, .min_pause = 10ms}, times) {
    authentication_.start();
    hear();
  }
  ~Bed() {
    authentication_.stop();
    static_cast<http::Loop&>(process_.context()).end();
  }

  Key& add_key() {
    auto& key = keys_.emplace_back(std::make_unique<Key>());
    organizations.keys[key->key.credential_id] = key.get();
    return *key;
  }

  // Asks in the background; see `done`.
  struct Asked {
    bool done = false, refused = false, unreachable = false;
  };
  std::shared_ptr<Asked> start(const Key& key) {
    auto asked = std::make_shared<Asked>();
    asio::co_spawn(process_.context(), identify("Bearer " + key.key.text(), asked), [](std::exception_ptr) {});
    return asked;
  }
  Asked ask(const Key& key) {
    const auto asked = start(key);
    until([&] { return asked->done; });
    return *asked;
  }
  bool is_let_in(const Key& key) {
    const auto asked = ask(key);
    return !asked.refused && !asked.unreachable;
  }
  // What a client is told whose credential is asked about.
  http::Response answer_to(const Key& key) {
    std::optional<http::Response> answer;
    asio::co_spawn(process_.context(), serve("Bearer " + key.key.text()),
                   [&](std::exception_ptr, http::Response response) { answer = std::move(response); });
    until([&] { return answer.has_value(); });
    return std::move(*answer);
  }
  // Until the gateway has taken note of all that was told.
  void hear() {
    until([&] { return organizations.asked_after == organizations.head; });
    const int heard = organizations.heard;
    until([&] { return organizations.heard > heard + 1; });
  }
  void until(const std::function<bool()>& condition) {
    const auto limit = std::chrono::steady_clock::now() + 30s;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > limit) FAIL("waited half a minute in vain");
      process_.context().restart();
      process_.context().run_one_for(5ms);
    }
  }
  void turn_for(std::chrono::milliseconds time) {
    const auto limit = std::chrono::steady_clock::now() + time;
    until([&] { return std::chrono::steady_clock::now() > limit; });
  }

 private:
  static gateway::Credential credential_of(const http::Request& request) {
    return gateway::read_credential(request, gateway::Route{}, gateway::SessionCookie());
  }

  http::awaitable<void> identify(std::string credential, std::shared_ptr<Asked> asked) {
    const http::Field fields[] = {{"Authorization", credential}};
    http::Request request;
    request.fields = fields;
    const chassis::RequestContext scope;
    try {
      asked->refused = co_await authentication_.identify(credential_of(request), scope) == nullptr;
    } catch (const http::Unreachable&) {
      asked->unreachable = true;
    }
    asked->done = true;
  }

  http::awaitable<http::Response> serve(std::string credential) {
    const http::Field fields[] = {{"Authorization", credential}};
    http::Request request;
    request.fields = fields;
    const chassis::Boundary::Work work = [this](http::Request& asked,
                                                chassis::RequestContext& scope) -> http::awaitable<http::Response> {
      co_await authentication_.identify(credential_of(asked), scope);
      co_return http::Response{};
    };
    co_return co_await process_.boundary().run(request, work);
  }

  chassis::Process process_;

 public:
  Organizations organizations;

 private:
  chassis::ServiceClient peer_;
  gateway::Authentication authentication_;
  std::vector<std::unique_ptr<Key>> keys_;
};

}  // namespace

TEST_SUITE("integration: gateway revocations") {
  TEST_CASE("a caller is asked about once, and is refused as soon as the event was heard") {
    Bed bed;
    auto& key = bed.add_key();
    auto& other = bed.add_key();
    for (int i = 0; i < 20; ++i) CHECK(bed.is_let_in(key));
    CHECK(bed.is_let_in(other));
    CHECK_EQ(bed.organizations.questions, 2);
    key.revoked = true;
    CHECK(bed.is_let_in(key));  // not told yet: so this test sees that it is the event that ends it
    bed.organizations.tell(events::AccessChanged{key.key.organization_id, {}, {}, key.key.credential_id});
    bed.hear();
    CHECK_FALSE(bed.is_let_in(key));
    CHECK_EQ(bed.organizations.questions, 3);
    CHECK(bed.is_let_in(other));  // not meant, and not asked about again
    CHECK_EQ(bed.organizations.questions, 3);
  }

  TEST_CASE("an answer that was under way when the event came serves its own request and no other") {
    Bed bed;
    auto& key = bed.add_key();
    bed.organizations.verify_waits = true;
    const auto asked = bed.start(key);
    bed.until([&] { return bed.organizations.waiting == 1; });  // it has been found good, and nobody knows yet
    key.revoked = true;
    bed.organizations.tell(events::AccessChanged{key.key.organization_id, {}, {}, key.key.credential_id});
    bed.hear();
    bed.organizations.verify_waits = false;
    bed.until([&] { return asked->done; });
    CHECK_FALSE(asked->refused);
    for (int i = 0; i < 3; ++i) CHECK_FALSE(bed.is_let_in(key));
  }

  TEST_CASE("after a gap everybody is asked about again: another epoch, or events that were pruned unheard") {
    Bed bed;
    auto& key = bed.add_key();
    CHECK(bed.is_let_in(key));
    key.revoked = true;
    SUBCASE("another epoch") { bed.organizations.epoch = model::new_uuid(); }
    SUBCASE("pruned") {
      bed.organizations.head = 50;
      bed.organizations.pruned = 50;
    }
    SUBCASE("a feed that is behind") { bed.organizations.head = 3; }
    SUBCASE("an event that cannot be read") {
      bed.organizations.tell(model::RawJson{R"([{"type":"access.changed"}])"});
    }
    bed.hear();
    CHECK_FALSE(bed.is_let_in(key));
  }

  TEST_CASE("while events are out of reach a verdict holds for the shorter time, then is asked for anew") {
    Bed bed({.good_for = 600s, .ask_ahead = 600s, .good_unheard = 400ms});
    auto& key = bed.add_key();
    CHECK(bed.is_let_in(key));
    bed.turn_for(800ms);
    CHECK(bed.is_let_in(key));
    CHECK_EQ(bed.organizations.questions, 1);  // as long as events are heard it holds on
    bed.organizations.feed_fails = true;
    key.revoked = true;
    bed.until([&] { return !bed.is_let_in(key); });
    bed.organizations.feed_fails = false;
    key.revoked = false;
    bed.hear();
    CHECK(bed.is_let_in(key));
  }

  TEST_CASE("while organizations is out of reach altogether, what was known holds for the shorter time and no longer") {
    Bed bed({.good_for = 600s, .ask_ahead = 600s, .good_unheard = 400ms});
    auto& key = bed.add_key();
    auto& stranger = bed.add_key();
    CHECK(bed.is_let_in(key));
    bed.organizations.feed_fails = bed.organizations.verify_fails = true;
    CHECK(bed.ask(stranger).unreachable);
    bed.until([&] { return bed.ask(key).unreachable; });
    bed.organizations.feed_fails = bed.organizations.verify_fails = false;
    bed.until([&] { return bed.is_let_in(key); });
  }

  TEST_CASE("events that have happened and have no position yet are not taken as heard") {
    Bed bed({.good_for = 600s, .ask_ahead = 600s, .good_unheard = 400ms});
    auto& key = bed.add_key();
    CHECK(bed.is_let_in(key));
    bed.organizations.unsequenced = true;
    key.revoked = true;
    bed.until([&] { return !bed.is_let_in(key); });
  }

  TEST_CASE("a verdict is asked for anew ahead of its end, beside the requests") {
    Bed bed({.good_for = 600s, .ask_ahead = 50ms, .good_unheard = 600s});
    auto& key = bed.add_key();
    CHECK(bed.is_let_in(key));
    bed.turn_for(100ms);
    bed.organizations.verify_waits = true;
    CHECK(bed.is_let_in(key));  // does not wait
    bed.until([&] { return bed.organizations.waiting == 1; });
    CHECK(bed.is_let_in(key));
    CHECK_EQ(bed.organizations.questions, 2);  // one is under way
    bed.organizations.verify_waits = false;
    bed.until([&] { return bed.organizations.waiting == 0; });
  }

  TEST_CASE("a verdict that cannot be had is asked for again") {
    Bed bed({.good_for = 600s, .ask_ahead = 50ms, .good_unheard = 600s});
    auto& key = bed.add_key();
    CHECK(bed.is_let_in(key));
    bed.turn_for(100ms);
    SUBCASE("as we are not trusted") { bed.organizations.verify_answers = 401; }
    SUBCASE("as it is not understood") { bed.organizations.verify_answers = 200; }
    bed.until([&] { return bed.is_let_in(key) && bed.organizations.questions >= 4; });
    bed.organizations.verify_answers = 0;
    key.revoked = true;
    bed.until([&] { return !bed.is_let_in(key); });
  }

  TEST_CASE("an answer of organizations that cannot be read is a 503 for the client, who sent nothing wrong") {
    Bed bed;
    auto& key = bed.add_key();
    SUBCASE("no JSON") { bed.organizations.verify_says = "{"; }
    SUBCASE("nothing") { bed.organizations.verify_says = ""; }
    SUBCASE("something else") { bed.organizations.verify_says = R"({"who":"knows"})"; }
    SUBCASE("no such operation") { bed.organizations.verify_answers = 404; }
    SUBCASE("not so many") { bed.organizations.verify_answers = 429; }
    SUBCASE("somewhere else") { bed.organizations.verify_answers = 302; }
    const auto answer = bed.answer_to(key);
    CHECK_EQ(answer.status, 503);
    CHECK_EQ(answer.content_type, "application/problem+json");
    bed.organizations.verify_says.reset();
    bed.organizations.verify_answers = 0;
    CHECK_EQ(bed.answer_to(key).status, 200);
  }

  TEST_CASE("a verdict ends with its credential") {
    Bed bed;
    auto& key = bed.add_key();
    key.good_for_ms = 200;
    CHECK(bed.is_let_in(key));
    key.revoked = true;
    bed.until([&] { return !bed.is_let_in(key); });
  }
}
