// Contacts and conversations killed at any moment while they tell each other of people, over real HTTP.
#include <random>

#include "common/http/client.hpp"
#include "tests/integration/events_people_bed.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::events_tests;

namespace {

struct World {
  contacts_tests::Database told;
  conversations_tests::Database heard;
  Uuid organization = model::new_uuid();
  int contacts_port = support::free_port(), conversations_port = support::free_port();
};

constexpr int kPeople = 10;

Ask ask_at(http::Client& client) {
  return [&client](http::ClientRequest request) { return client.send(std::move(request)); };
}

http::Client client_of(Loop& loop, http::DeadlineSweeper& wheel, int port) {
  return http::Client(loop.context(), wheel, {.url = "http://127.0.0.1:" + std::to_string(port), .tls_ca_file = {}});
}

// Members and the channel, at contacts.
awaitable<void> change_contacts(ContactsHalf& half, Uuid organization, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most - 1)(random); };
  constexpr ContactStatus kStatuses[]{ContactStatus::Active, ContactStatus::Blocked, ContactStatus::OptedOut};
  for (;;) {
    const auto n = std::to_string(pick(kPeople));
    const int what = pick(4);
    contacts::identities::Person person{"+49170000" + n, "DE." + n, {}, {}};
    if (what == 1) person.phone.reset();
    if (what == 2) person.channelUserId.reset();
    try {
      const auto found = co_await half.people.resolve(organization, {person});
      if (pick(3) == 0) co_await half.give(organization, found.at(0).contactId, kStatuses[pick(3)]);
      if (pick(12) == 0) co_await half.remove(organization, found.at(0).contactId);
    } catch (const pg::Unavailable&) {
      // At the start: there is no connection yet.
    }
    co_await pause_for(2ms);
  }
}

// Contacts, in conversations.
awaitable<void> say(const World& world, pg::Pool& pool, unsigned seed) {
  std::mt19937 random(seed);
  for (;;) {
    const auto id = support::execute(world.told.url(), "SELECT id FROM contact ORDER BY random() LIMIT 1");
    const auto at = model::Timestamp::now().milliseconds_since_epoch / 1'000 * 1'000;
    try {
      if (!id.empty()) co_await speak(pool, world.organization, *Uuid::parse(id), random() % 2 == 0, at);
    } catch (const pg::Unavailable&) {
      // At the start: there is no connection yet.
    } catch (const pg::SqlError& error) {
      if (!error.is_retryable()) throw;
    }
    co_await pause_for(2ms);
  }
}

void run_contacts(const World& world, bool busy) {
  Loop loop(world.told.settings());
  http::DeadlineSweeper wheel(loop.context());
  auto client = client_of(loop, wheel, world.conversations_port);
  ContactsHalf half(loop, ask_at(client));
  FeedServer server(loop, half.feed, world.contacts_port);
  half.start();
  if (busy) loop.launch(change_contacts(half, world.organization, std::random_device{}()));
  loop.context().run();
}

// A second replica only follows.
void run_conversations(const World& world, bool busy, bool serving = true) {
  Loop loop(world.heard.settings());
  http::DeadlineSweeper wheel(loop.context());
  auto client = client_of(loop, wheel, world.contacts_port);
  ConversationsHalf half(loop, ask_at(client), ask_at(client));
  std::optional<FeedServer> server;
  if (serving) server.emplace(loop, half.feed, world.conversations_port);
  half.start();
  if (busy) loop.launch(say(world, loop.pool, std::random_device{}()));
  loop.context().run();
}

bool caught_up(const std::string& from, const std::string& to) {
  return support::execute(from, "SELECT count(*) FROM outbox WHERE position IS NULL") == "0" &&
         support::execute(from, "SELECT head FROM feed") ==
             support::execute(to, "SELECT coalesce((SELECT position FROM feed_cursor), 0)");
}

}  // namespace

TEST_CASE("events of people: whichever service is killed, whenever, both end with the same") {
  World world;
  std::mt19937 random(20260501);
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  {
    std::vector<std::unique_ptr<Child>> children;
    children.push_back(std::make_unique<Child>([&] { run_contacts(world, true); }));
    for (const bool serving : {true, false})
      children.push_back(std::make_unique<Child>([&, serving] { run_conversations(world, true, serving); }));
    for (int round = 0; round < 40; ++round) {
      std::this_thread::sleep_for(std::chrono::milliseconds(pick(200)));
      auto& child = *children[static_cast<std::size_t>(pick(2))];
      child.kill();
      child.start();
    }
  }
  const Child contacts([&] { run_contacts(world, false); });
  const Child conversations([&] { run_conversations(world, false); });
  const auto limit = std::chrono::steady_clock::now() + 60s;
  const auto settled = [&] {
    hasten_removals(world.heard.url());
    return world.heard.number("SELECT count(*) FROM removal") == 0 && caught_up(world.told.url(), world.heard.url()) &&
           caught_up(world.heard.url(), world.told.url());
  };
  while (!settled() && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(10ms);
  CHECK_EQ(compare(world.told.url(), world.heard.url()), "");
  CHECK_EQ(world.told.drifted(), 0);
  CHECK_EQ(world.heard.drifted(), 0);
  CHECK_EQ(world.heard.number("SELECT count(*) FROM merged_contact"), 0);
  CHECK_EQ(world.heard.number("SELECT count(*) FROM parked_event"), 0);
  CHECK_GT(world.told.sql().number("SELECT head FROM feed"), 5);
  CHECK_GT(world.heard.number("SELECT head FROM feed"), 5);
  MESSAGE(world.told.sql().number("SELECT head FROM feed")
          << " events of contacts, " << world.heard.number("SELECT head FROM feed") << " of conversations, 40 kills");
}
