// What is made of events for webhooks: each once, whoever is killed, whenever, and however many work at it.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <random>
#include <thread>

#include "common/events/campaign_changes.hpp"
#include "common/events/consumer.hpp"
#include "common/removals/organizations.hpp"
#include "conversations/events/subscriptions/fan_out.hpp"
#include "tests/integration/conversations_bed.hpp"
#include "tests/integration/events_bed.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using namespace std::chrono_literals;

namespace {

constexpr int kEvents = 400;

// Follows the feed of its own database, until it is killed.
void follow(const Database& database) {
  pg_tests::Loop loop(database.settings());
  events::Feed feed(loop.context(), loop.pool, events_tests::quick_feed({"webhooks"}), events_tests::quiet());
  auto settings = events_tests::quick_consumer();
  settings.name = "webhooks";
  settings.producer = "conversations";
  settings.is_own = true;
  std::mt19937 random(static_cast<unsigned>(::getpid()));
  events::ConsumerWork work{
      .ask = [&](http::ClientRequest request) -> awaitable<http::ClientResponse> {
        auto response = co_await feed.serve(request.target.substr(request.target.find('?') + 1));
        co_return http::ClientResponse{response.status, std::move(response.body)};
      },
      .apply = [&](pg::Transaction& transaction, std::span<const events::Event> events) -> awaitable<void> {
        co_await conversations::subscriptions::fan_out(transaction, events);
        if (random() % 5 == 0) throw std::runtime_error("broken off before the commit");
      },
      .forget = removals::forget_nothing,
      .report = events_tests::quiet(),
      .dropped = events::Dropped::made_up};
  events::Consumer consumer(loop.context(), loop.pool, settings, work);
  loop.launch(feed.run());
  loop.launch(consumer.run());
  loop.context().run();
}

class Child {
 public:
  explicit Child(const Database& database) : database_(database) { start(); }
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void start() {
    process_ = ::fork();
    if (process_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    follow(database_);
    ::_exit(1);
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  const Database& database_;
  pid_t process_ = -1;
};

Uuid add_webhook(const Database& database, const Uuid& organization, const std::string& events, bool active = true) {
  const auto id = model::new_uuid();
  database.execute("INSERT INTO webhook (organization_id, id, url, description, events, active, secret) VALUES (" +
                   quoted(organization) + "," + quoted(id) + ", 'https://example.com/', '', '{" + events + "}', " +
                   (active ? "true" : "false") + ", 'x')");
  return id;
}

std::string reply(const Uuid& organization, int number) {
  events::Changes changes;
  changes.add(events::CampaignReply{organization, organization, {}, {number}, false, false});
  const auto json = changes.json().text;
  return json.substr(1, json.size() - 2);
}

void apply(const Database& database, std::vector<events::Event> events) {
  pg_tests::Loop loop(database.settings());
  loop.wait_until_available();
  const auto work = [](pg::Pool& pool, std::vector<events::Event> all) -> awaitable<void> {
    auto transaction = co_await pool.begin();
    co_await conversations::subscriptions::fan_out(transaction, all);
    co_await transaction.commit();
  };
  loop.run(work(loop.pool, std::move(events)));
}

}  // namespace

TEST_SUITE("integration: outgoing webhooks' fan-out") {
  TEST_CASE("killed and broken off at any moment: each event is made once for each webhook that asks for it") {
    const Database database;
    const auto a = model::new_uuid(), b = model::new_uuid(), quiet = model::new_uuid();
    const auto first = add_webhook(database, a, "campaign.reply,message.created");
    const auto second = add_webhook(database, a, "campaign.reply");
    add_webhook(database, a, "message.created");
    add_webhook(database, a, "campaign.reply", false);
    const auto third = add_webhook(database, b, "campaign.reply");
    add_webhook(database, quiet, "contact.created");
    std::mt19937 random(20260131);
    {
      std::vector<std::unique_ptr<Child>> children;
      for (int i = 0; i < 3; ++i) children.push_back(std::make_unique<Child>(database));
      for (int i = 0; i < kEvents; ++i) {
        database.execute("INSERT INTO outbox (changes) VALUES ('[" + reply(a, i) + "," + reply(quiet, i) + "," +
                         reply(b, i) + R"(,{"type":"something.else"}])" + "')");
        if (random() % 20 != 0) continue;
        auto& child = *children[random() % children.size()];
        child.kill();
        child.start();
      }
      const auto limit = std::chrono::steady_clock::now() + 60s;
      while (database.number("SELECT count(*) FROM webhook_delivery") < 3 * kEvents) {
        REQUIRE(std::chrono::steady_clock::now() < limit);
        std::this_thread::sleep_for(5ms);
      }
      std::this_thread::sleep_for(50ms);
    }
    CHECK(database.number("SELECT count(*) FROM webhook_notice") == 2 * kEvents);
    for (const auto& webhook : {first, second, third}) {
      CHECK(database.number("SELECT count(*) FROM webhook_delivery WHERE webhook_id = " + quoted(webhook)) == kEvents);
      CHECK(database.number("SELECT count(DISTINCT body::jsonb -> 'data' ->> 'at') FROM webhook_delivery d JOIN "
                            "webhook_notice n ON n.id = d.notice_id WHERE webhook_id = " +
                            quoted(webhook)) == kEvents);
    }
    CHECK(database.number("SELECT count(*) FROM webhook_delivery") == 3 * kEvents);
    CHECK(database.number("SELECT count(*) FROM parked_event") == 0);
  }

  TEST_CASE("contacts' changes are told by their ids; a member's OptedOut is told of each contact") {
    const Database database;
    const auto organization = model::new_uuid(), one = model::new_uuid(), two = model::new_uuid();
    add_webhook(database, organization, "contact.created,contact.opted_out,contact.deleted");
    const auto change = [&](const std::string& type, const std::string& more) {
      return R"({"type":")" + type + R"(","organizationId":")" + organization.text() + R"(","contactIds":[")" +
             one.text() + R"(",")" + two.text() + "\"]" + more + "}";
    };
    const auto status = [&](const std::string& name) {
      return change("contact.status", R"(,"status":")" + name + R"(","at":"2026-01-31T12:00:00.000Z")");
    };
    apply(database, {{1, {"[" + change("contact.created", "") + "," + change("contact.updated", "") + "]"}},
                     {2, {"[" + status("OptedOut") + "," + status("Active") + "]"}}});
    CHECK(database.execute(
              "SELECT string_agg(type || ' ' || coalesce((contact_id IS NOT NULL)::text, ''), ', ' ORDER BY "
              "id) FROM webhook_notice") == "contact.created false, contact.opted_out true, contact.opted_out true");
    CHECK(
        database.number("SELECT count(*) FROM webhook_notice WHERE type = 'contact.created' AND body::jsonb -> 'data' "
                        "-> 'contactIds' ->> 1 = " +
                        quoted(two)) == 1);
    CHECK_THROWS_AS(apply(database, {{3, {R"([{"type":"contact.created"}])"}}}), events::BadEvent);
  }

  TEST_CASE("a webhook's deletion and what is made for it do not pass each other by") {
    const Database database;
    const auto organization = model::new_uuid();
    add_webhook(database, organization, "campaign.reply");
    database.execute("DELETE FROM webhook");
    apply(database, {{1, {"[" + reply(organization, 1) + "]"}}});
    CHECK(database.number("SELECT count(*) FROM webhook_notice") == 0);
    CHECK(database.number("SELECT count(*) FROM webhook_delivery") == 0);
  }

  TEST_CASE("a restored backup's new epoch changes nothing: the cursor was restored with the feed") {
    const Database database;
    const auto organization = model::new_uuid();
    add_webhook(database, organization, "campaign.reply");
    const auto wait_for = [&](int deliveries) {
      const auto limit = std::chrono::steady_clock::now() + 60s;
      while (database.number("SELECT count(*) FROM webhook_delivery") < deliveries) {
        REQUIRE(std::chrono::steady_clock::now() < limit);
        std::this_thread::sleep_for(5ms);
      }
    };
    {
      const Child child(database);
      database.execute("INSERT INTO outbox (changes) VALUES ('[" + reply(organization, 1) + "]')");
      wait_for(1);
    }
    database.execute("UPDATE feed SET epoch = gen_random_uuid()");
    const Child child(database);
    database.execute("INSERT INTO outbox (changes) VALUES ('[" + reply(organization, 2) + "]')");
    wait_for(2);
    std::this_thread::sleep_for(50ms);
    CHECK(database.number("SELECT count(*) FROM webhook_delivery") == 2);
  }
}
