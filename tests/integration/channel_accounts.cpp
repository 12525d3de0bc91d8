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

  TEST_CASE("without organizations, what was never known is not known") {
    World world;
    SUBCASE("it fails") { world.organizations.status = 500; }
    SUBCASE("it does not know us") { world.organizations.status = 401; }
    SUBCASE("it is gone") { world.organizations.stop(); }
    CHECK_THROWS_AS(world.of_organization(), http::Unreachable);
    CHECK_THROWS_AS(world.of_organization(), http::Unreachable);  // and is asked again
  }
}
