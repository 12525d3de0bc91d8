// PostgreSQL dead, full, locked, slow, out of room and ending sessions, under a mixed load: requests are answered 503
// soon or served, nothing that was acknowledged is lost, nothing is done twice, and all is well again without anybody's
// help.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include <sys/mount.h>
#include <unistd.h>

#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"
#include "tests/support/fault_proxy.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::Sql;
using support::System;

namespace {

// A superuser's connection of its own.
Sql superuser(System& system) { return Sql(system.postgres().url("postgres", "parley")); }

// Failures are a 503, a 504 for what may have been done, a part that is missing, an earlier attempt that is still under
// way, or no answer at all: no 500.
void check_typed(const std::vector<Sample>& failures) {
  for (const auto& each : failures)
    CHECK_MESSAGE(
        (each.status == 503 || each.status == 504 || each.status == 200 || each.status == 0 || each.status == 409),
        each.failure.substr(0, 400));
}

void check_all_run(System& system) {
  for (auto* component : system.all()) CHECK_MESSAGE(component->running(), component->name());
}

// The moment from which on nothing failed any more, in seconds after `begin`.
double over_after(const Traffic& traffic, Clock::time_point begin) {
  const auto last = traffic.summary(begin, Clock::now()).last_failure;
  return last <= begin ? 0 : std::chrono::duration<double>(last - begin).count();
}

}  // namespace

TEST_CASE("database: killed and started again, requests are a quick 503 meanwhile, and no acknowledged write is lost" *
          doctest::skip(!is_long())) {
  System system({.replicas = 2, .environment = {}});
  Traffic traffic(system, "Outage");
  for (int round = 0; round < 3; ++round) {
    traffic.wait_for(300);
    const auto killed = Clock::now();
    system.postgres().kill();
    std::this_thread::sleep_for(2s);
    const auto down = traffic.summary(killed + 500ms, Clock::now(), "contact");
    const auto start = Clock::now();
    system.postgres().start();
    const auto started = Clock::now();
    traffic.wait_for(1'500);
    MESSAGE("PostgreSQL killed: while down "
            << down << "; it started in " << std::chrono::duration<double>(started - start).count()
            << " s, the last failure ended " << over_after(traffic, started) << " s after that");
    CHECK_LT(over_after(traffic, started), 30);
    CHECK_EQ(down.failures, down.requests);
    CHECK_LT(down.p99, 2'000);
    check_typed(traffic.failures(killed));
    check_all_run(system);
  }
  traffic.stop();
  traffic.judge();
}

TEST_CASE("database: sessions ended again and again cost few reads, and no write is done twice" *
          doctest::skip(!is_long())) {
  System system({.replicas = 2, .environment = {}});
  Traffic traffic(system, "Ended");
  traffic.wait_for(300);
  auto sql = superuser(system);
  const auto begin = Clock::now();
  std::int64_t ended = 0;
  for (int round = 0; round < 15; ++round) {
    ended += sql.number(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'parley' AND pid <> "
        "pg_backend_pid() AND usename <> 'postgres'");
    std::this_thread::sleep_for(1s);
  }
  const auto end = Clock::now();
  traffic.wait_for(500);
  traffic.stop();
  Summary reads;
  for (const std::string kind : {"contact", "conversation", "organization", "analytics"}) {
    const auto part = traffic.summary(begin, end, kind);
    reads.requests += part.requests;
    reads.failures += part.failures;
    reads.partial += part.partial;
  }
  MESSAGE(ended << " sessions ended in " << std::chrono::duration<double>(end - begin).count() << " s: of "
                << reads.requests << " reads " << reads.failed() << " failed, " << reads.partial
                << " were partial; writes: " << traffic.summary(begin, end, "write")
                << "; webhooks: " << traffic.summary(begin, end, "webhook"));
  CHECK_LE(reads.failed() * 50, reads.requests);  // wanted: one of a thousand; all sessions connect anew on two cores
  check_typed(traffic.failures(begin));
  traffic.show_failures(begin);
  traffic.judge();
}

TEST_CASE("database: full of others' sessions nothing crashes, and there is room again when they leave" *
          doctest::skip(!is_long())) {
  System system({.replicas = 2, .environment = {}});
  Traffic traffic(system, "Crowded");
  traffic.wait_for(200);
  std::vector<std::unique_ptr<Sql>> others;
  const auto fill = [&] {
    try {
      for (int i = 0; i < 300; ++i)
        others.push_back(
            std::make_unique<Sql>(system.postgres().url("contacts", "parley") + "?application_name=others"));
    } catch (const std::runtime_error&) {  // no more
    }
  };
  auto sql = superuser(system);
  fill();
  const auto begin = Clock::now();
  sql.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'contacts' AND application_name <> "
      "'others'");
  fill();  // what was the service's is the others' now, most of it
  std::this_thread::sleep_for(4s);
  const auto during = traffic.summary(begin, Clock::now());
  const auto errors = system.contacts(0).metric("db_errors_total") + system.contacts(1).metric("db_errors_total");
  const auto left = Clock::now();
  others.clear();
  traffic.wait_for(1'500);
  MESSAGE("no room: " << during << "; db_errors_total of contacts " << errors << "; over " << over_after(traffic, left)
                      << " s after the others had left");
  CHECK_LT(over_after(traffic, left), 30);
  check_typed(traffic.failures(begin));
  check_all_run(system);
  traffic.stop();
  traffic.judge();
}

TEST_CASE("database: a table that is locked for ten seconds holds up nobody who does not need it" *
          doctest::skip(!is_long())) {
  System system({.replicas = 2, .environment = {}});
  Traffic traffic(system, "Locked");
  traffic.wait_for(300);
  auto sql = superuser(system);
  sql.rows("BEGIN; LOCK TABLE contacts.list IN ACCESS EXCLUSIVE MODE");
  const auto begin = Clock::now();
  std::this_thread::sleep_for(10s);
  const auto end = Clock::now();
  sql.rows("COMMIT");
  traffic.wait_for(1'000);
  MESSAGE("locked for 10 s: writes of it "
          << traffic.summary(begin, end, "write") << "; organizations " << traffic.summary(begin, end, "organization")
          << "; conversations " << traffic.summary(begin, end, "conversation") << "; webhooks "
          << traffic.summary(begin, end, "webhook") << "; over " << over_after(traffic, end) << " s after it");
  CHECK_EQ(traffic.summary(begin, end, "organization").failures, 0);
  CHECK_LT(over_after(traffic, end), 30);
  check_typed(traffic.failures(begin));
  traffic.stop();
  traffic.judge();
}

TEST_CASE("database: 200 ms further away than before, more is asked than can be had: the rest is refused, not queued" *
          doctest::skip(!is_long())) {
  System system;
  support::FaultProxy wire(system.postgres().port());
  for (const std::string name : {"contacts", "conversations"}) {
    auto& service = system.component(name, 0);
    service.kill();
    service.environment.insert(
        service.environment.begin(),
        {"PARLEY_DATABASE_URL", "postgresql://" + name + "@127.0.0.1:" + std::to_string(wire.port()) + "/parley"});
    service.start();
  }
  Traffic traffic(system, "Far", {.readers = 100, .writers = 30, .uploaders = 0, .callers_back = 10, .streams = 0});
  traffic.wait_for(2'000);
  const auto before = traffic.summary(Clock::now() - 2s, Clock::now());
  const auto memory = [&] { return system.contacts().metric("process_resident_memory_bytes") / 1048576; };
  const auto memory_before = memory();
  wire.delay(100ms);
  const auto begin = Clock::now();
  std::this_thread::sleep_for(10s);
  const auto during = traffic.summary(begin + 1s, begin + 10s);
  wire.delay(0ms);
  const auto end = Clock::now();
  traffic.wait_for(2'000);
  const auto after = traffic.summary(Clock::now() - 1s, Clock::now());
  MESSAGE("+200 ms, " << wire.connections() << " connections: before " << before << "; during " << during << "; after "
                      << after << "; over after " << over_after(traffic, end) << " s; contacts' memory "
                      << memory_before << " -> " << memory() << " MiB");
  CHECK_LT(during.p99, 12'000);
  CHECK_LT(memory() - memory_before, 64);
  check_typed(traffic.failures(begin));
  traffic.stop();
  traffic.judge();
}

TEST_CASE("database: a disk that is full fails what needs room and nothing else, until there is room again" *
          doctest::skip(!is_long())) {
  namespace fs = std::filesystem;
  if (::geteuid() != 0) {
    MESSAGE("not run: only root can make a small disk");
    return;
  }
  System system;
  Traffic traffic(system, "Full", {.readers = 3, .writers = 2, .uploaders = 0, .callers_back = 1, .streams = 0});
  traffic.wait_for(200);
  struct SmallDisk {
    fs::path path = fs::temp_directory_path() / ("parley-small-disk-" + std::to_string(::getpid()));
    SmallDisk() {
      fs::create_directories(path);
      if (::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=24m,mode=0777") != 0)
        throw std::runtime_error("no small disk can be mounted");
    }
    ~SmallDisk() {
      ::umount2(path.c_str(), MNT_DETACH);
      std::error_code ignored;
      fs::remove(path, ignored);
    }
  } disk;
  auto sql = superuser(system);
  fs::create_directory(disk.path / "space");
  REQUIRE_EQ(std::system(("chown postgres " + (disk.path / "space").string()).c_str()), 0);
  sql.rows("CREATE TABLESPACE small LOCATION '" + (disk.path / "space").string() + "'");
  sql.rows("ALTER TABLE contacts.list SET TABLESPACE small");
  sql.rows("CREATE TABLE public.ballast (octets text) TABLESPACE small");
  sql.rows("ALTER TABLE public.ballast ALTER COLUMN octets SET STORAGE PLAIN");
  const auto begin = Clock::now();
  try {
    for (int i = 0; i < 100'000; ++i)
      sql.rows("INSERT INTO public.ballast SELECT repeat('x', 7000) FROM generate_series(1, " +
               std::string(i < 6 ? "400" : "1") + ")");
    FAIL("the disk is never full");
  } catch (const std::runtime_error& error) {
    MESSAGE(std::string(error.what()));
  }
  std::this_thread::sleep_for(5s);
  // A page of the table may have had room; once it has not, each write fails.
  const auto writes = traffic.summary(begin + 3s, Clock::now(), "write");
  const auto others = traffic.summary(begin, Clock::now(), "organization");
  const auto end = Clock::now();
  sql.rows("DROP TABLE public.ballast");
  traffic.wait_for(500);
  MESSAGE("disk full: writes that need room " << writes << "; organizations " << others << "; over "
                                              << over_after(traffic, end) << " s after there was room");
  CHECK_EQ(others.failures, 0);
  CHECK_LT(over_after(traffic, end), 30);
  for (const auto& each : traffic.failures(begin))
    CHECK_MESSAGE((each.status == 503 || each.status == 500), each.failure.substr(0, 300));
  traffic.show_failures(begin);
  traffic.stop();
  traffic.judge();
  sql.rows("ALTER TABLE contacts.list SET TABLESPACE pg_default");
  sql.rows("DROP TABLESPACE small");
}
