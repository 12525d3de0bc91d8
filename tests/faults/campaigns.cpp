// Campaigns lose nobody and send nobody twice, whoever dies and whatever the channel does. The simulator, which counts
// what it accepted, is the judge.
//
// PARLEY_FAULTS_RECIPIENTS (2000) and PARLEY_FAULTS_KILLS (20) make it longer, PARLEY_FAULTS_SEED makes it another run:
// the proof is 20,000 recipients and 200 kills.
#include <algorithm>
#include <chrono>
#include <thread>

#include "common/model/timestamp.hpp"
#include "tests/faults/campaigns_trial.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;

namespace {

std::string moment_in(std::chrono::seconds time) {
  const auto now = std::chrono::system_clock::now().time_since_epoch() + time;
  return model::Timestamp{std::chrono::duration_cast<std::chrono::milliseconds>(now).count()}.text();
}

}  // namespace

TEST_CASE("campaigns: none lost and none twice, whoever dies and whatever the channel does") {
  Trial trial;
  trial.run();
  trial.judge();
}

TEST_CASE("campaigns: a schedule starts once and on time, though all dispatchers' clocks are wrong; not long after") {
  support::System system({.environment = {}, .dispatchers = 3});
  e2e::CampaignScene scene(system, "Schedules", "200000000000450");
  const auto list = scene.import_list("all", 0, 200);
  for (std::size_t i = 0; i < 3; ++i) {
    system.dispatcher(i).kill();
    shift_clock(system.dispatcher(i), i == 0 ? -3'600 : 3'600);
    system.dispatcher(i).start();
  }
  const auto schedule = [&](std::chrono::seconds time) {
    auto campaign = scene.text_campaign({list});
    campaign["scheduledAt"] = moment_in(time);
    const auto id = scene.make(campaign);
    CHECK_EQ(scene.act(id, "start"), "Scheduled");
    return id;
  };
  const auto each_got = [&](int times) {
    const auto accepted = scene.accepted();
    return accepted.size() == 200 &&
           std::all_of(accepted.begin(), accepted.end(), [&](auto& each) { return each.second == times; });
  };

  const auto on_time = schedule(4s);
  std::this_thread::sleep_for(2s);
  CHECK_EQ(scene.status(on_time), "Scheduled");
  CHECK(scene.accepted().empty());
  scene.wait_for_status(on_time, "Finished");
  CHECK(each_got(1));

  const auto late = schedule(3s), too_late = schedule(3s);
  for (std::size_t i = 0; i < 3; ++i) system.dispatcher(i).kill();
  system.sql("conversations")
      .rows("UPDATE campaign SET scheduled_at = scheduled_at - interval '2 hours' WHERE id = $1", {too_late});
  std::this_thread::sleep_for(4s);
  for (std::size_t i = 0; i < 3; ++i) system.dispatcher(i).start();
  scene.wait_for_status(late, "Finished");
  scene.wait_for_status(too_late, "Paused");
  CHECK(scene.campaign(too_late).at("statusReason") != "");
  CHECK(each_got(2));
}

TEST_CASE("campaigns: a dispatcher that stands still past its campaign's end leaves nobody pending") {
  support::System system(
      {.environment = {{"PARLEY_DISPATCH_LEASE_SECONDS", "6"}, {"PARLEY_DISPATCH_DOUBT_SECONDS", "60"}},
       .dispatchers = 2});
  e2e::CampaignScene scene(system, "Stands still", "200000000000460");
  auto& sql = system.sql("conversations");
  scene.wait_for_status(scene.start(scene.text_campaign({scene.import_list("one", 100, 1)})), "Finished");
  const auto list = scene.import_list("all", 0, 24);
  // It is stopped with messages that it made and had not begun: what it puts back later is what this is about.
  std::size_t put_back = 0;
  for (int round = 1; round <= 5 && put_back == 0; ++round) {
    auto& owner = system.dispatcher(system.dispatcher(0).metric("dispatch_numbers_owned") > 0 ? 0 : 1);
    const auto campaign = scene.start(scene.text_campaign({list}));
    e2e::wait_for("messages of the campaign",
                  [&] { return sql.number("SELECT count(*) FROM message WHERE campaign_id = $1", {campaign}) > 0; });
    owner.pause();
    scene.wait_for_status(campaign, "Finished");
    owner.resume();
    e2e::wait_for("the end of all recipients", [&] {  // by one answer: who is in doubt may be pending in the next
      const auto shown = scene.campaign(campaign).at("progress").as_object();
      return shown.at("read").as_int64() + shown.at("failed").as_int64() == shown.at("recipients").as_int64();
    });
    scene.check_adds_up(campaign);
    put_back = scene.recipients(campaign, "state=Failed&reason=NotSent").size();
    CHECK_EQ(scene.recipients(campaign, "state=Failed").size(), put_back);
    for (const auto& [number, times] : scene.accepted()) CHECK(times <= round);
  }
  CHECK(put_back > 0);
}
