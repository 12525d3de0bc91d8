// Workers killed at any moment, two at once, and their transactions broken off.
#include <random>
#include <thread>

#include "tests/integration/audience_bed.hpp"
#include "tests/integration/events_children.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::audience_tests;
using events_tests::Child;

namespace {

constexpr int kPeople = 4'000;

void serve_contacts(const World& world, int port) {
  chassis::Process process(process_settings());
  const Contacts contacts(process, world.people.settings(), port);
  process.context().run();
}

void work(const World& world, int port) {
  chassis::Process process(process_settings());
  pg::Pool pool(process.context(), world.database.settings());
  chassis::ServiceClient peer(process, "contacts", "http://127.0.0.1:" + std::to_string(port));
  auto settings = quick();
  settings.lease = 100ms;
  conversations::audience::Worker worker(process, pool, peer, settings);
  pool.start();
  worker.start();
  process.context().run();
}

}  // namespace

TEST_CASE("audience: workers killed at any moment, two at once: nobody is missed, nobody comes twice") {
  World world;
  world.add_people(kPeople);
  const auto list = world.add_list(1, kPeople), few = world.add_list(1, 30);
  std::mt19937 random(20261121);
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  const auto port = support::free_port();
  std::vector<Uuid> campaigns;
  int kills = 0, aborts = 0;
  {
    Child contacts([&] { serve_contacts(world, port); });
    std::vector<std::unique_ptr<Child>> workers;
    for (int n = 0; n < 2; ++n) workers.push_back(std::make_unique<Child>([&] { work(world, port); }));
    for (const auto& lists : {std::vector{list}, std::vector{list, few}, std::vector{few}})
      campaigns.push_back(world.run_campaign({.lists = lists, .excluded = {}}));
    const auto done = [&] { return world.value("SELECT bool_and(audience_done) FROM campaign") == "t"; };
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (!done() && std::chrono::steady_clock::now() < limit) {
      std::this_thread::sleep_for(std::chrono::milliseconds(pick(80)));
      if (kills + aborts > 60) continue;
      switch (pick(3)) {
        case 0:
          contacts.kill();
          contacts.start();
          ++kills;
          break;
        case 1:
          ++aborts;
          world.value(
              "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND "
              "pid <> pg_backend_pid()");
          break;
        default:
          auto& worker = *workers[static_cast<std::size_t>(pick(1))];
          worker.kill();
          worker.start();
          ++kills;
      }
    }
  }
  for (const auto& campaign : campaigns) {
    CHECK_EQ(world.campaign(campaign, "audience_done"), "t");
    CHECK_EQ(world.faults(campaign), "");
    CHECK_EQ(world.targets(campaign), campaign == campaigns.back() ? 30 : kPeople);
    CHECK_EQ(world.targets(campaign, "skipped IS NOT NULL"), 0);
  }
  MESSAGE(kills << " kills, " << aborts << " times all transactions broken off");
}
