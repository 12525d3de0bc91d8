// The database's server dies and its standby takes over, under a load of reads and writes with keys and while a
// campaign is sent: all goes on by itself, nothing that was acknowledged is lost, nothing is done twice, and nobody is
// told that a database is read-only. And replicas that are read: who was told that something was written finds it, at
// once, wherever they ask.
//
// PARLEY_FAULTS_PACED_RECIPIENTS (200, 40 a second) and PARLEY_FAULTS_WRITES (20) make it longer.
#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "tests/e2e/campaign_bed.hpp"
#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::DatabaseKind;
using support::System;

namespace {

// What became of a campaign's recipients, by the API, and how often the simulator took a message for each.
void judge_campaign(e2e::CampaignScene& scene, const std::string& campaign, int recipients) {
  const auto accepted = scene.accepted();
  int once = 0, doubled = 0, lost = 0, in_doubt = 0;
  const auto all = scene.recipients(campaign);
  CHECK_EQ(static_cast<int>(all.size()), recipients);
  for (const auto& each : all) {
    const std::string phone = each.at("phone").as_string().c_str(), state = each.at("state").as_string().c_str();
    const auto found = accepted.find(phone.substr(1));
    const auto times = found == accepted.end() ? 0 : found->second;
    times == 1 ? ++once : times > 1 ? ++doubled : 0;
    // Nobody knows of what was under way to the channel at that moment; it is never sent again blindly.
    if (state == "InDoubt" || state == "Failed") ++in_doubt;
    if (times == 0 && state != "InDoubt" && state != "Failed") ++lost;
  }
  MESSAGE("campaign: " << recipients << " recipients, " << once << " accepted once, " << doubled << " more than once, "
                       << lost << " lost, " << in_doubt << " in doubt");
  CHECK_EQ(doubled, 0);
  CHECK_EQ(lost, 0);
  CHECK_EQ(once + in_doubt, recipients);
}

}  // namespace

TEST_CASE("failover: the standby takes over under load; nothing acknowledged is lost, nothing is done twice") {
  const int recipients = option("PARLEY_FAULTS_PACED_RECIPIENTS", 200);
  System system({.replicas = 2,
                 .environment = {{"PARLEY_DISPATCH_RATE", "40"}, {"PARLEY_DISPATCH_DOUBT_SECONDS", "20"}},
                 .databases = DatabaseKind::pair});
  e2e::CampaignScene scene(system, "Sending", "200000000000460");
  const auto list = scene.import_list("all", 0, recipients);
  Traffic traffic(system, "Failover");
  traffic.wait_for(200);
  const auto campaign = scene.start(scene.text_campaign({list}));
  const auto quarter = static_cast<std::size_t>(recipients / 4);
  e2e::wait_for("a quarter is sent", [&] { return scene.accepted().size() >= quarter; });

  const auto killed = Clock::now();
  system.postgres().kill();
  std::this_thread::sleep_for(300ms);
  system.databases()->standby().promote();
  const auto promoted = Clock::now();
  const auto resumed = [&] {
    const auto after = traffic.summary(promoted, Clock::now(), "write");
    return after.requests > after.failures + 20;
  };
  e2e::wait_for("writes resume", resumed);
  traffic.wait_for(500);
  scene.wait_for_status(campaign, "Finished");
  e2e::wait_for("all is told", [&] { return scene.progress(campaign, "inDoubt") == 0; });
  traffic.stop();

  const auto failures = traffic.failures(killed);
  const auto last = traffic.summary(killed, Clock::now()).last_failure;
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  MESSAGE("promoted " << seconds(promoted - killed) << " s after the kill, the last failure ended "
                      << seconds(std::max(last, promoted) - promoted) << " s after that; meanwhile "
                      << traffic.summary(killed, std::max(last, promoted)));
  CHECK(last < promoted + 30s);
  for (const auto& each : failures) {
    // 504: it may have been done; 409: the attempt before is still under way; 200: without another service's part.
    const std::set<unsigned> expected{503, 504, 409, 200, 0};
    CHECK_MESSAGE(expected.contains(each.status), each.failure.substr(0, 400));
    CHECK_MESSAGE(each.failure.find("read-only") == each.failure.npos, each.failure.substr(0, 400));
    CHECK_MESSAGE(each.failure.find("25006") == each.failure.npos, each.failure.substr(0, 400));
  }
  traffic.judge();
  judge_campaign(scene, campaign, recipients);
  for (auto* component : system.all()) CHECK_MESSAGE(component->running(), component->name());
}

TEST_CASE("failover: what was written is in the next page, wherever it is read, whatever becomes of the replica") {
  const int writes = option("PARLEY_FAULTS_WRITES", 20);
  System system({.replicas = 2, .environment = {}, .databases = DatabaseKind::replicated});
  auto& standby = system.databases()->standby();
  const auto owner = system.create_owner("replicas@example.com", "Replicas");
  const auto replica_reads = [&](std::string_view result) {
    double out = 0;
    for (std::size_t i = 0; i < 2; ++i)
      out += system.contacts(i).metric("db_replica_reads_total", "result=\"" + std::string(result) + "\"");
    return out;
  };
  // Two at once, each over two gateways and so over both replicas of the service.
  std::atomic<int> written = 0, missed = 0, failed = 0;
  std::atomic<bool> stop = false;
  const auto work = [&](int who) {
    Caller writer(system, 0), reader(system, 1);
    const e2e::Headers headers{{"Authorization", "Bearer " + owner.api_key}, {"Content-Type", "application/json"}};
    for (int i = 0; !stop; ++i) {
      const auto name = "w" + std::to_string(who) + "n" + std::to_string(i) + "end";
      const auto made = writer.send(
          support::request_text("POST", "/api/lists", headers, R"({"name":")" + name + R"(","description":""})"),
          false);
      if (made.status != 201) continue;
      const auto page = reader.send(support::request_text("GET", "/api/lists?per_page=100&order=desc", headers), true);
      const auto found = reader.send(support::request_text("GET", "/api/lists?search=" + name, headers), true);
      for (const auto* answer : {&page, &found})
        if (answer->status != 200) ++failed;
      if (page.status == 200 && page.body.find(name) == page.body.npos) ++missed;
      if (found.status == 200 && found.body.find("\"total\":1") == found.body.npos) ++missed;
      ++written;
    }
  };
  std::vector<std::thread> threads;
  for (int who = 0; who < 2; ++who) threads.emplace_back(work, who);
  const auto more = [&](int count) {
    const auto until = written + count;
    e2e::wait_for("writes go on", [&] { return written >= until; });
  };
  more(writes);
  e2e::wait_for("the replica is read", [&] { return replica_reads("replica") > 0; });
  standby.execute("SELECT pg_wal_replay_pause()");
  more(writes);
  standby.execute("SELECT pg_wal_replay_resume()");
  more(writes);
  standby.pause();
  more(writes);
  standby.resume();
  more(writes);
  standby.kill();
  more(writes);
  standby.start();
  const auto before = replica_reads("replica");
  e2e::wait_for("the replica is read again", [&] { return replica_reads("replica") > before; });
  more(writes);
  stop = true;
  for (auto& thread : threads) thread.join();
  MESSAGE(written.load() << " written and read at once, twice each; by the replica " << replica_reads("replica")
                         << ", by the primary as it was behind " << replica_reads("behind") << " or away "
                         << replica_reads("away"));
  CHECK_EQ(missed, 0);
  CHECK_EQ(failed, 0);
  CHECK(replica_reads("behind") > 0);
  CHECK(replica_reads("away") > 0);
}
