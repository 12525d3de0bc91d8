// The accounts that the conversations service remembers.
#include "tests/integration/channel_bed.hpp"

using namespace parley;
using namespace parley::channel_tests;

namespace {

using Found = std::shared_ptr<const channel::Account>;

struct World {
  Loop loop;
  Organizations organizations{loop};

  Found of_organization() {
    return loop.run(organizations.accounts.of_organization(organizations.account.organizationId));
  }
  Found of_number() { return loop.run(organizations.accounts.of_phone_number(kNumber)); }
  // Whose what comes to the number is. Throws std::out_of_range where organizations does not answer.
  awaitable<std::optional<model::Uuid>> owner() {
    auto owners = co_await organizations.accounts.owners({kNumber});
    const auto account = owners.at(kNumber);
    co_return account ? std::optional(account->organizationId) : std::nullopt;
  }
  // The number is another organization's from now on. Who knows of it is told, or will be.
  void move_number() {
    const auto before = organizations.account.organizationId;
    organizations.account.organizationId = model::new_uuid();
    organizations.tell(before, {kNumber});
    organizations.tell(organizations.account.organizationId, {kNumber});
  }

  static constexpr auto kNumber = "200000000000001";
};

}  // namespace

TEST_SUITE("channel: accounts") {
  TEST_CASE("an account is asked for once, and is whole") {
    World world;
    const auto found = world.of_organization();
    REQUIRE(found);
    CHECK(model::to_json(*found) == model::to_json(world.organizations.account));
    CHECK(world.of_organization() == found);
    REQUIRE(world.organizations.asked.size() == 1);
    CHECK(world.organizations.asked[0] ==
          "/internal/accounts?organization_id=" + world.organizations.account.organizationId.text());
    const auto by_number = world.loop.run(world.organizations.accounts.of_phone_number("200 1"));
    REQUIRE(by_number);
    CHECK(world.organizations.asked.back() == "/internal/accounts?phone_number_id=200%201");
  }

  TEST_CASE("concurrent equal questions are one") {
    World world;
    std::vector<Found> found;
    for (int i = 0; i < 20; ++i)
      boost::asio::co_spawn(world.loop.process.context(),
                            world.organizations.accounts.of_organization(world.organizations.account.organizationId),
                            [&](std::exception_ptr, Found account) { found.push_back(std::move(account)); });
    world.loop.turn_until([&] { return found.size() == 20; });
    CHECK(world.organizations.asked.size() == 1);
    for (const auto& account : found) CHECK(account == found.front());
    CHECK(found.front());
  }

  TEST_CASE("that there is none is remembered too") {
    World world;
    world.organizations.status = 404;
    CHECK_FALSE(world.of_organization());
    CHECK_FALSE(world.of_organization());
    CHECK(world.organizations.asked.size() == 1);
  }

  TEST_CASE("what was forgotten is asked for anew, by its number as well") {
    World world;
    world.of_organization();
    world.loop.run(world.organizations.accounts.of_phone_number("200000000000001"));
    world.organizations.account.accessToken = "another";
    world.organizations.accounts.forget(model::new_uuid());
    CHECK(world.of_organization()->accessToken == "the-token");
    world.organizations.accounts.forget(world.organizations.account.organizationId);
    CHECK(world.of_organization()->accessToken == "another");
    CHECK(world.loop.run(world.organizations.accounts.of_phone_number("200000000000001"))->accessToken == "another");
    CHECK(world.organizations.asked.size() == 4);
  }

  TEST_CASE("what organizations tells to have changed is asked for anew") {
    World world;
    auto& organizations = world.organizations;
    organizations.follow();
    const auto former = organizations.account.organizationId;
    const auto account = world.of_number();
    REQUIRE(account);
    CHECK(organizations.accounts.holds(account));
    REQUIRE(world.of_organization());
    SUBCASE("a number moves") {
      world.move_number();
      world.loop.turn_until([&] { return !organizations.accounts.holds(account); });
      CHECK(world.of_number()->organizationId == organizations.account.organizationId);
    }
    SUBCASE("another token") {
      organizations.account.accessToken = "another";
      organizations.tell(former, {World::kNumber});
      world.loop.turn_until([&] { return !organizations.accounts.holds(account); });
      CHECK(world.of_number()->accessToken == "another");
      CHECK(world.of_organization()->accessToken == "another");
    }
    SUBCASE("an organization is deleted") {
      events::Changes changes;
      changes.add(events::OrganizationDeleted{former});
      organizations.status = 404;
      organizations.events.push_back({++organizations.page.head, changes.json()});
      world.loop.turn_until([&] { return !organizations.accounts.holds(account); });
      CHECK_FALSE(world.of_organization());
    }
    SUBCASE("nobody knows what") {
      organizations.page.epoch = model::new_uuid();  // restored from a backup
      organizations.account.accessToken = "another";
      world.loop.turn_until([&] { return !organizations.accounts.holds(account); });
      CHECK(world.of_number()->accessToken == "another");
    }
    SUBCASE("of somebody else") {
      organizations.tell(model::new_uuid(), {"2"});
      const auto polls = organizations.polls;
      world.loop.turn_until([&] { return organizations.polls > polls + 1; });
      CHECK(organizations.accounts.holds(account));
      const auto asked = organizations.asked.size();
      CHECK(world.of_number() == account);
      CHECK(organizations.asked.size() == asked);
    }
  }

  TEST_CASE("an answer that is older than what was heard meanwhile is not kept") {
    World world;
    auto& organizations = world.organizations;
    organizations.follow();
    organizations.hold_accounts = true;
    const auto former = organizations.account.organizationId;
    Found found;
    boost::asio::co_spawn(world.loop.process.context(), organizations.accounts.of_phone_number(World::kNumber),
                          [&](std::exception_ptr, Found account) { found = std::move(account); });
    world.loop.turn_until([&] { return organizations.held == 1; });  // it is as things were
    world.move_number();
    const auto polls = organizations.polls;
    world.loop.turn_until([&] { return organizations.polls > polls + 1; });  // heard
    organizations.hold_accounts = false;
    world.loop.turn_until([&] { return found != nullptr; });
    CHECK(found->organizationId == former);
    CHECK(world.of_number()->organizationId == organizations.account.organizationId);
  }

  TEST_CASE("an answer under way is kept unless what it is about was forgotten") {
    World world;
    auto& organizations = world.organizations;
    organizations.hold_accounts = true;
    Found found;
    boost::asio::co_spawn(world.loop.process.context(), organizations.accounts.of_phone_number(World::kNumber),
                          [&](std::exception_ptr, Found account) { found = std::move(account); });
    world.loop.turn_until([&] { return organizations.held == 1; });
    std::size_t asked = 1;
    SUBCASE("something else was") { organizations.accounts.forget(model::new_uuid(), std::vector<std::string>{"2"}); }
    SUBCASE("whose it turns out to be was") {
      organizations.accounts.forget(organizations.account.organizationId);
      asked = 2;
    }
    organizations.hold_accounts = false;
    world.loop.turn_until([&] { return found != nullptr; });
    CHECK(world.of_number());
    CHECK(organizations.asked.size() == asked);
  }

  TEST_CASE("what comes to a number is never a former owner's, whatever was heard of it by then") {
    World world;
    auto& organizations = world.organizations;
    organizations.follow();
    REQUIRE(world.of_number());
    const auto former = organizations.account.organizationId;
    SUBCASE("nothing moved") {
      const auto asked = organizations.asked.size();
      CHECK(world.loop.run(world.owner()) == former);
      CHECK(organizations.asked.size() == asked);  // known, and the feed has nothing new
    }
    SUBCASE("the feed has the event, and it was not heard") {
      organizations.hold_polls = true;
      world.move_number();
      CHECK(world.loop.run(world.owner()) == organizations.account.organizationId);
    }
    SUBCASE("the event has no position yet") {
      organizations.page.unsequenced = true;
      world.move_number();
      CHECK(world.loop.run(world.owner()) == organizations.account.organizationId);
    }
    SUBCASE("the feed is out of order") {
      organizations.feed_fails = true;
      world.move_number();
      CHECK(world.loop.run(world.owner()) == organizations.account.organizationId);
    }
    SUBCASE("somebody asked before it moved and has no answer yet") {
      organizations.accounts.forget(former);
      organizations.hold_accounts = organizations.hold_polls = true;
      Found old;
      std::optional<model::Uuid> owner;
      boost::asio::co_spawn(world.loop.process.context(), organizations.accounts.of_phone_number(World::kNumber),
                            [&](std::exception_ptr, Found account) { old = std::move(account); });
      world.loop.turn_until([&] { return organizations.held == 1; });
      world.move_number();
      boost::asio::co_spawn(world.loop.process.context(), world.owner(),
                            [&](std::exception_ptr, std::optional<model::Uuid> found) { owner = found; });
      world.loop.turn_until([&] { return organizations.held == 2; });
      organizations.hold_accounts = false;
      world.loop.turn_until([&] { return old && owner; });
      CHECK(old->organizationId == former);
      CHECK(owner == organizations.account.organizationId);
    }
    SUBCASE("nobody has it any more") {
      organizations.hold_polls = true;
      world.move_number();
      organizations.status = 404;
      CHECK_FALSE(world.loop.run(world.owner()));
    }
    SUBCASE("organizations cannot be asked: what was known is good for sending, and for nothing else") {
      organizations.status = 503;
      organizations.feed_fails = true;
      CHECK_THROWS_AS(world.loop.run(world.owner()), std::out_of_range);
      CHECK(world.of_number()->organizationId == former);
    }
  }

  TEST_CASE("without organizations, what was never known is not known") {
    World world;
    SUBCASE("it fails") { world.organizations.status = 500; }
    SUBCASE("it does not know us") { world.organizations.status = 401; }
    SUBCASE("it is gone") { world.organizations.stop(); }
    CHECK_THROWS_AS(world.of_organization(), http::Unreachable);
    CHECK_THROWS_AS(world.of_organization(), http::Unreachable);  // and is asked again
  }
}
