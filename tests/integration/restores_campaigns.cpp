// Campaigns in a database that was restored from a backup: whatever may have gone on since waits for an operator.
#include <algorithm>
#include <thread>

#include "conversations/recovery/restore_holds/store.hpp"
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;
namespace restore_holds = parley::conversations::restore_holds;
using model::CampaignStatus;
using namespace std::chrono_literals;

namespace {

template <class T>
T get(Bed& bed, awaitable<T> work) {
  std::optional<T> out;
  bed.run([](awaitable<T> step, std::optional<T>& result) -> awaitable<bool> {
    result = co_await std::move(step);
    co_return true;
  }(std::move(work), out));
  return std::move(*out);
}

restore_holds::Settled settle(Bed& bed) {
  const model::Timestamp soon{model::Timestamp::now().milliseconds_since_epoch + 60'000};
  return get(bed, restore_holds::settle(bed.pool(), soon, 1s));
}

std::vector<restore_holds::Suspect> held(Bed& bed) { return get(bed, restore_holds::held(bed.pool())); }

bool release(Bed& bed, const Uuid& id, bool resumes) {
  return get(bed, restore_holds::release(bed.pool(), bed.organization, id, 0, resumes));
}

const restore_holds::Suspect& found(const std::vector<restore_holds::Suspect>& campaigns, const Uuid& id) {
  const auto at = std::find_if(campaigns.begin(), campaigns.end(), [&](const auto& each) { return each.id == id; });
  REQUIRE(at != campaigns.end());
  return *at;
}

void restore(Bed& bed) { bed.database.execute("UPDATE feed SET home = 'elsewhere'"); }

}  // namespace

TEST_CASE("restores: what has not begun may have since: it does not start, is held, and goes on as it stood") {
  Bed bed;
  const auto ahead = bed.make_as("Scheduled");  // it may have been given an earlier time
  const auto due = bed.make_as("Scheduled");
  bed.set(due, "scheduled_at = now() - interval '1 minute'");
  const auto late = bed.make_as("Paused");  // it may have been resumed
  bed.set(late, "scheduled_at = now() - interval '1 day'");
  const auto running = bed.make_as("Running");
  const auto draft = bed.make(), finished = bed.make_as("Finished"), cancelled = bed.make_as("Cancelled");
  restore(bed);
  bed.run(bed.worker.start_due());
  CHECK_EQ(bed.text(due, "status"), "Scheduled");

  const auto settled = settle(bed);
  CHECK_EQ(settled.campaigns.size(), 4);
  CHECK(found(settled.campaigns, ahead).status == CampaignStatus::Scheduled);
  CHECK(found(settled.campaigns, ahead).scheduledAt);
  const auto all = held(bed);
  CHECK_EQ(all.size(), 4);
  CHECK(found(all, running).status == CampaignStatus::Running);
  CHECK(found(all, ahead).status == CampaignStatus::Scheduled);
  CHECK(found(all, late).status == CampaignStatus::Paused);
  CHECK_EQ(bed.told(due), "Scheduled>Paused");
  CHECK_EQ(bed.told(late), "");
  CHECK_EQ(bed.told(running), "Running>Paused");
  for (const auto& id : {ahead, due, late, running}) {
    CHECK_EQ(bed.text(id, "status"), "Paused");
    CHECK_EQ(bed.act(id, "resume").status, 409);
  }
  CHECK_EQ(bed.text(draft, "status"), "Draft");
  CHECK_EQ(bed.text(finished, "status"), "Finished");
  CHECK_EQ(bed.text(cancelled, "status"), "Cancelled");

  for (const auto& id : {ahead, due, running}) CHECK(release(bed, id, true));
  CHECK_EQ(bed.text(ahead, "status"), "Scheduled");
  CHECK_EQ(bed.text(due, "status"), "Running");
  CHECK_EQ(bed.text(running, "status"), "Running");
  CHECK(release(bed, late, false));
  CHECK_FALSE(release(bed, late, false));
  CHECK_EQ(bed.text(late, "status"), "Paused");
  CHECK_EQ(bed.act(late, "resume").status, 200);
  CHECK_EQ(bed.text(late, "status"), "Running");
}

TEST_CASE("restores: all that are let go at once go on, but for those that their members had paused") {
  Bed bed;
  const auto running = bed.make_as("Running"), paused = bed.make_as("Paused");
  settle(bed);
  const auto released = get(bed, restore_holds::release_all(bed.pool(), 0, true));
  CHECK_EQ(released.all, 2);
  CHECK_EQ(released.resumed, 1);
  CHECK_EQ(bed.text(running, "status"), "Running");
  CHECK_EQ(bed.text(paused, "status"), "Paused");
  CHECK_EQ(bed.act(paused, "resume").status, 200);
}

TEST_CASE("restores: one that a member resumes while it is being held is held all the same") {
  Bed bed;
  const auto id = bed.make_as("Paused");
  const std::jthread member(
      [&] { bed.database.execute("BEGIN; UPDATE campaign SET status = 'Running'; SELECT pg_sleep(1); COMMIT"); });
  bed.turn_until([&] {
    return bed.database.number(
               "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()") ==
           1;
  });
  const auto settled = settle(bed);
  CHECK_EQ(settled.campaigns.size(), 1);
  CHECK_EQ(held(bed).size(), 1);
  CHECK_EQ(bed.text(id, "status"), "Paused");
  CHECK_EQ(bed.told(id), "Running>Paused");
}

TEST_CASE("restores: nobody counts as dealt with while the recipients are being gathered") {
  Bed bed;
  const auto gathering = bed.make_as("Running"), gathered = bed.make_as("Running");
  bed.set(gathering, "audience_count = 2000");
  bed.set(gathered, "audience_count = 2000, audience_done = true");
  const auto settled = settle(bed);
  CHECK_EQ(found(settled.campaigns, gathering).recipients, 2'000);
  CHECK_EQ(found(settled.campaigns, gathering).doneTo, 0);
  CHECK_EQ(found(settled.campaigns, gathered).doneTo, 2'000);
}

TEST_CASE("restores: of a campaign with an experiment nobody was surely dealt with, and the first N are all") {
  Bed bed;
  const auto id = bed.make_as("Running"), other = bed.make_as("Running");
  bed.set(id, "audience_count = 2000, audience_done = true, experiment = '{\"share\": 20}'");
  const auto settled = settle(bed);
  CHECK_EQ(found(settled.campaigns, id).doneTo, 0);
  get(bed, restore_holds::release_all(bed.pool(), 10, false));
  const auto doubtful = [&](const Uuid& of) {
    return bed.database.number("SELECT doubtful FROM campaign WHERE id = '" + of.text() + "'");
  };
  CHECK_EQ(doubtful(id), 2'147'483'647);
  CHECK_EQ(doubtful(other), 10);
}

TEST_CASE("restores: one that is cancelled while it is held waits for nobody any more") {
  Bed bed;
  const auto id = bed.make_as("Running");
  settle(bed);
  CHECK_EQ(bed.act(id, "cancel").status, 200);
  CHECK(held(bed).empty());
  CHECK_FALSE(release(bed, id, true));
  CHECK_EQ(bed.text(id, "status"), "Cancelled");
  CHECK_EQ(bed.text(id, "statusReason"), "");
}
