#include "conversations/campaigns/worker.hpp"

#include <algorithm>
#include <map>

#include "common/events/outbox/sql.hpp"
#include "conversations/campaigns/progress.hpp"
#include "conversations/campaigns/sql.hpp"
#include "conversations/campaigns/status.hpp"
#include "conversations/messages/status_changes.hpp"

namespace parley::conversations::campaigns {

using namespace std::chrono_literals;
using model::CampaignStatus;

namespace {

constexpr std::int64_t kCampaigns = 100;  // per step
constexpr std::int64_t kMessages = 500;
constexpr std::int64_t kMerges = 10;  // each checks every campaign of its organization
constexpr std::int64_t kCounts = 5'000;
constexpr auto kPause = 500ms;
constexpr auto kEndedPause = 5s;  // while a snapshot is open, each scan passes dead rows of earlier ones
constexpr auto kFoldPause = 60s;
constexpr auto kMergesPause = 1s;

struct MergeRow {
  model::Uuid organization_id, contact_id;
  bool gone = false;
};
BOOST_DESCRIBE_STRUCT(MergeRow, (), (organization_id, contact_id, gone))

struct RunningRow : Standing {
  model::Uuid organization_id, id;
  bool audience_done = false, is_done = false, is_news = false;
};
BOOST_DESCRIBE_STRUCT(RunningRow, (Standing), (organization_id, id, audience_done, is_done, is_news))

struct AnyRise : messages::Rise {
  model::Uuid organization_id;
};
BOOST_DESCRIBE_STRUCT(AnyRise, (messages::Rise), (organization_id))

}  // namespace

Worker::Worker(chassis::Process& process, pg::Pool& database)
    : process_(process),
      database_(database),
      tasks_{{{&Worker::start_due, 0ms},
              {&Worker::look, 0ms},
              {&Worker::settle_ended, kEndedPause},
              {&Worker::fold, kFoldPause},
              {&Worker::forget_merges, kMergesPause}}},
      loops_(process.context(), 1, kPause, [this] { return take_all(); }, [this](const auto& what) { failed(what); }) {
  auto& metrics = process.metrics();
  const auto count = [&](const char* name, const char* what, const std::uint64_t& n) {
    metrics.counter_from(name, what, {}, [&n] { return double(n); });
  };
  count("campaigns_started_total", "Campaigns that began at their time", started_);
  count("campaigns_late_total", "Campaigns that were found too long after their time, and wait", late_);
  count("campaigns_finished_total", "Campaigns that were sent to all", finished_);
  count("campaigns_failures_total", "Steps that failed and were made again", failures_);
}

void Worker::failed(const std::string& what) {
  ++failures_;
  process_.log().warn("campaigns").with("what", what);
}

awaitable<bool> Worker::take_all() {
  bool any_more = false;
  for (auto& task : tasks_) {
    const auto now = std::chrono::steady_clock::now();
    if (loops_.stopping() || now < task.next) continue;
    const bool more = co_await take(task.step);
    if (!more) task.next = now + task.pause;
    any_more = any_more || more;
  }
  co_return any_more;
}

// A failing step does not prevent the others.
awaitable<bool> Worker::take(Step step) {
  try {
    co_return co_await (this->*step)();
  } catch (...) {
    failed(async::words_of(std::current_exception()));
  }
  co_return false;
}

awaitable<bool> Worker::start_due() {
  auto transaction = co_await database_.begin();
  const auto results = co_await transaction.run(pg::Batch(sql::start_due, kCampaigns));
  const auto moved = results.rows<events::CampaignStatusChanged>();
  if (moved.empty()) co_return false;
  events::Changes changes;
  for (const auto& change : moved) changes.add(change);
  co_await transaction.commit(pg::Batch(events::outbox::append, changes.json()));
  for (const auto& change : moved) ++(change.to == CampaignStatus::Running ? started_ : late_);
  co_return std::ssize(moved) == kCampaigns;
}

awaitable<bool> Worker::look() {
  auto transaction = co_await database_.begin();
  const auto results = co_await transaction.run(pg::Batch(sql::look, kCampaigns));
  const auto running = results.rows<RunningRow>();
  if (running.empty()) co_return false;
  events::Changes changes;
  std::uint64_t finished = 0;
  for (const auto& row : running) {
    auto status = CampaignStatus::Running;
    if (row.is_done &&
        co_await move(transaction, row.organization_id, row.id, status, CampaignStatus::Finished, "", changes)) {
      status = CampaignStatus::Finished;
      ++finished;
    }
    if (row.is_news || row.is_done)
      changes.add(events::CampaignProgressed{row.organization_id, row.id, progress_of(row, status, row.audience_done)});
  }
  pg::Batch last;
  if (!changes.empty()) last.add(events::outbox::append, changes.json());
  co_await transaction.commit(std::move(last));
  finished_ += finished;
  co_return std::ssize(running) == kCampaigns;
}

awaitable<bool> Worker::settle_ended() {
  auto transaction = co_await database_.begin();
  const auto results = co_await transaction.run(pg::Batch(sql::fail_ended, kMessages));
  const auto failed = results.rows<AnyRise>();
  std::map<model::Uuid, std::vector<messages::Rise>> by_organization;
  for (const auto& rise : failed) by_organization[rise.organization_id].push_back(rise);
  events::Changes changes;
  pg::Batch last;
  for (const auto& [organization, rises] : by_organization) {
    engagement::CampaignCounters counters(organization);
    messages::emit(changes, counters, organization, rises);
    counters.emit(changes);
    counters.add_to(last);
  }
  if (!changes.empty()) last.add(events::outbox::append, changes.json());
  co_await transaction.commit(std::move(last));
  co_return std::ssize(failed) == kMessages;
}

awaitable<bool> Worker::forget_merges() {
  const auto results =
      co_await database_.write(pg::Batch(sql::forget_merged, looked_at_organization_, looked_at_contact_, kMerges));
  const auto seen = results.rows<MergeRow>();
  const bool is_end = std::ssize(seen) < kMerges;
  looked_at_organization_ = is_end ? model::Uuid{} : seen.back().organization_id;
  looked_at_contact_ = is_end ? model::Uuid{} : seen.back().contact_id;
  co_return !is_end && std::all_of(seen.begin(), seen.end(), [](const MergeRow& row) { return row.gone; });
}

awaitable<bool> Worker::fold() {
  const auto results = co_await database_.write(pg::Batch(sql::fold, kCounts));
  co_return results.one<std::int64_t>() == kCounts;
}

}  // namespace parley::conversations::campaigns
