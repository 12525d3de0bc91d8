// Which servers a replica's reads and a primary's may come from: promoted, set back, of others, led elsewhere.
#include <filesystem>

#include "tests/integration/replica_bed.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/sql.hpp"

namespace parley::pg_tests {

TEST_CASE("a replica that was promoted is read no more") {
  Pair servers;
  Loop loop(servers.settings());
  wait_for_replica(loop);
  servers.standby->promote();
  servers.standby->execute("UPDATE number SET n = 666");
  expect_none_on_replica(loop, 3, 0);
  CHECK(loop.pool.stats(Lane::replica).last_failure != "");
}

TEST_CASE("a pooler before a replica is found out") {
  Pair& servers = ordinary();
  servers.primary.execute("CREATE DATABASE parley");
  support::Sql(servers.primary.url("postgres", "parley"))
      .rows("CREATE TABLE number AS SELECT g AS id, 0::int8 AS n FROM generate_series(0, 9) g");
  servers.primary.wait_for(*servers.standby);
  const support::PoolerServer pooler(*servers.standby, "postgres");
  auto settings = servers.settings();
  settings.url = servers.primary.url("postgres", "parley");
  settings.replica_url = pooler.url();
  Loop loop(settings);
  expect_none_on_replica(loop, 1, 0);
  CHECK(loop.pool.stats(Lane::replica).last_failure.find("pooler") != std::string::npos);
}

TEST_CASE("of several replicas those that are right are read") {
  Pair servers;
  PostgresServer elsewhere;  // another system with a standby of its own
  make_table(elsewhere);
  elsewhere.execute("UPDATE number SET n = 666");
  PostgresServer stranger(StandbyOf{elsewhere});
  {
    Loop loop(Pair::settings_of(servers.primary, stranger));
    expect_none_on_replica(loop, 1, 0);
    CHECK(loop.pool.stats(Lane::replica).last_failure.find("another system") != std::string::npos);
  }
  auto both = servers.settings();
  both.replica_url = two_hosts(stranger, *servers.standby);
  Loop loop(both);
  loop.wait_until_available();
  while (!loop.run(on_replica(loop.pool))) {
    CHECK(loop.run(number(loop.pool, 1)) == 0);
    loop.run(pause_for(5ms));
  }
}

TEST_CASE("why one of several replicas is not used is said for as long as it is so") {
  Pair servers;
  PostgresServer elsewhere;
  make_table(elsewhere);
  PostgresServer stranger(StandbyOf{elsewhere});
  auto settings = servers.settings();
  settings.replica_url = two_hosts(stranger, *servers.standby);
  auto refused = [](Loop& loop) {
    return loop.pool.stats(Lane::replica).last_failure.find("another system") != std::string::npos;
  };
  // One connection to each of them: where it leads is left to chance.
  std::unique_ptr<Loop> loop;
  bool both = false;
  for (int pools = 0; pools < 30 && !both; ++pools) {
    loop = std::make_unique<Loop>(settings);
    loop->wait_until_available();
    bool read = false;
    for (int i = 0; i < 50 && !(read && refused(*loop)); ++i) {
      read = loop->run(on_replica(loop->pool)) || read;
      loop->run(pause_for(10ms));
    }
    both = read && refused(*loop);
  }
  REQUIRE(both);
  for (int i = 0; i < 150; ++i) {
    loop->run(on_replica(loop->pool));
    loop->run(pause_for(10ms));
  }
  CHECK(refused(*loop));
  // It was led to the other one, and is looked at again in its time.
  loop->until([&] { return !refused(*loop); });
}

TEST_CASE("of several hosts only the one that takes writes is taken for the primary") {
  Pair& servers = ordinary();
  pg::Settings settings;
  settings.url = two_hosts(*servers.standby, servers.primary);
  Loop loop(settings);
  loop.wait_until_available();
  auto on_standby = [](pg::Pool& pool) -> awaitable<bool> {
    const auto results = co_await pool.read(Batch(whose));
    co_return results.one<bool>();
  };
  for (int i = 0; i < 20; ++i) CHECK_FALSE(loop.run(on_standby(loop.pool)));
  loop.run(write(loop.pool, 1, 1));
}

TEST_CASE("a replica that is led elsewhere while nobody reads is not read afterwards") {
  Pair servers;
  PostgresServer other(StandbyOf{servers.primary});
  Loop loop(servers.settings());
  wait_for_replica(loop);
  servers.standby->follow(other);  // before that is promoted, so as not to be further than it
  other.promote();
  other.execute("CREATE TABLE more AS SELECT g FROM generate_series(1, 20000) g");
  other.execute("UPDATE number SET n = 666");
  other.wait_for(*servers.standby);
  loop.run_for(2s);
  CHECK(loop.run(number(loop.pool, 1)) == 0);
  CHECK(loop.pool.stats(Lane::replica).last_failure.find("timeline") != std::string::npos);
}

TEST_CASE("after a failover, a replica that stayed with the old primary is not read, and one that follows is") {
  Pair servers;
  PostgresServer left_behind(StandbyOf{servers.primary});
  PostgresServer follower(StandbyOf{servers.primary});
  servers.standby->promote();
  // The old primary goes on, alone with the one that stays: what it gives that is further than the new one's.
  servers.primary.execute("CREATE TABLE more AS SELECT g FROM generate_series(1, 20000) g");
  servers.primary.execute("UPDATE number SET n = 666");
  servers.primary.wait_for(left_behind);
  {
    Loop loop(Pair::settings_of(*servers.standby, left_behind));
    expect_none_on_replica(loop, 1, 0);
    servers.standby->execute("CREATE TABLE more AS SELECT g FROM generate_series(1, 60000) g");  // and now further
    loop.run(write(loop.pool, 1, 1));
    expect_none_on_replica(loop, 1, 1);
  }
  // One that was not led astray.
  PostgresServer fresh(StandbyOf{*servers.standby});
  Loop loop(Pair::settings_of(*servers.standby, fresh));
  wait_for_replica(loop);
  CHECK(loop.run(number(loop.pool, 1)) == 1);
}

TEST_CASE("the pool goes with a failover, and its replica with the new primary") {
  Pair servers;
  PostgresServer follower(StandbyOf{servers.primary});
  pg::Settings settings;
  settings.url = two_hosts(servers.primary, *servers.standby) + " target_session_attrs=read-write";
  settings.replica_url = two_hosts(*servers.standby, follower);
  Loop loop(settings);
  wait_for_replica(loop);
  loop.run(write(loop.pool, 1, 1));
  const auto connects = [&] { return loop.pool.stats(Lane::read).connects + loop.pool.stats(Lane::write).connects; };
  const auto all = [&](Lane lane) { return loop.pool.stats(lane).connections == loop.pool.stats(lane).configured; };
  // All: what the old primary said to a connection that is being made would bring that up after its end.
  loop.until([&] { return all(Lane::read) && all(Lane::write); });
  const auto before = connects();
  servers.primary.wait_for(*servers.standby);
  servers.primary.wait_for(follower);
  servers.primary.kill();
  servers.standby->promote();
  follower.follow(*servers.standby);
  loop.until([&] { return connects() > before && all(Lane::read) && all(Lane::write); });
  loop.run(write(loop.pool, 1, 2));
  CHECK(loop.run(number(loop.pool, 1)) == 2);
  wait_for_replica(loop);
  for (std::int64_t i = 3; i < 40; ++i) {
    loop.run(write(loop.pool, 1, i));
    CHECK(loop.run(number(loop.pool, 1)) == i);
  }
}

TEST_CASE("a replica that is ahead of a primary which was set back is not read") {
  Pair servers;
  servers.primary.stop();
  const auto data = servers.primary.data();
  const auto saved = data.parent_path() / "saved";
  REQUIRE(std::system(("cp -a " + data.string() + " " + saved.string()).c_str()) == 0);
  servers.primary.start();
  servers.primary.execute("UPDATE number SET n = 666");
  servers.primary.wait_for(*servers.standby);
  servers.primary.kill();
  std::filesystem::remove_all(data);
  std::filesystem::rename(saved, data);
  servers.primary.start();
  Loop loop(servers.settings());
  expect_none_on_replica(loop, 1, 0);
  CHECK(loop.pool.stats(Lane::replica).last_failure.find("ahead of the primary") != std::string::npos);
}

}  // namespace parley::pg_tests
