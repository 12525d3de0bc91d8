#include "conversations/campaigns/links/clicks.hpp"

#include <algorithm>

#include "common/async/pause.hpp"
#include "common/events/outbox/sql.hpp"

namespace parley::conversations::links {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {
constexpr std::size_t kMaxOfCommit = 256;
constexpr auto kFirstPause = 100ms, kMaxPause = 2'000ms;
}  // namespace

Clicks::Clicks(chassis::Process& process, pg::Pool& database)
    : process_(process),
      database_(database),
      loop_(
          process.context(), {kFirstPause, kMaxPause}, [this] { return step(); },
          [this](const auto& what) { failed(what); }) {
  auto& metrics = process_.metrics();
  metrics.counter_from("link_clicks_total", "Clicks on campaigns' links that were committed", {},
                       [this] { return double(stats_.committed); });
  metrics.counter_from("link_click_commits_total", "Transactions that committed them", {},
                       [this] { return double(stats_.commits); });
  metrics.counter_from("link_clicks_lost_total", "Clicks that were followed and never counted", {},
                       [this] { return double(stats_.lost); });
  metrics.counter_from("link_clicks_unawaited_total", "Clicks whose visitor was led on before the commit", {},
                       [this] { return double(stats_.unawaited); });
  metrics.gauge_from("link_clicks_waiting", "Clicks that are not committed yet", {},
                     [this] { return double(queue_.size()); });
}

awaitable<void> Clicks::stop() {
  const auto give_up = Clock::now() + kDrainTime;
  co_await loop_.stop(kDrainTime);
  while (!queue_.empty() && Clock::now() < give_up) {
    const auto thrown = co_await async::attempt(write_first());
    if (!thrown) continue;
    failed(async::words_of(thrown));
    co_await async::pause(kFirstPause);
  }
  stats_.lost += queue_.size();
}

awaitable<void> Clicks::take(Click click) {
  if (queue_.size() >= kMaxWaiting) {
    ++stats_.lost;
    co_return;
  }
  if (queue_.empty()) loop_.notify();
  queue_.push_back(click);
  const auto number = ++taken_;
  const auto timeout = Clock::now() + kTimeout;
  while (!behind_ && released_ < number && co_await released_some_.wait(timeout)) {
  }
  if (finished_ >= number) co_return;
  behind_ = true;
  ++stats_.unawaited;
}

awaitable<std::chrono::milliseconds> Clicks::step() {
  if (queue_.empty()) co_return 1h;
  co_await write_first();
  co_return 0ms;
}

void Clicks::failed(std::string_view what) {
  process_.log().warn("clicks").with("error", what).with("waiting", queue_.size());
  behind_ = true;
  release(taken_);
}

// Writes the front of the queue. Throws if the clicks are to be retried, which is safe even if the commit succeeded.
awaitable<void> Clicks::write_first() {
  const auto count = apart_ > 0 ? 1 : std::min(queue_.size(), kMaxOfCommit);
  std::string hopeless;
  try {
    co_await write({queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(count)});
  } catch (const pg::SqlError& refused) {
    if (refused.is_temporary()) throw;
    hopeless = refused.what();
  }
  if (!hopeless.empty() && count > 1) {
    apart_ = count;
    co_return;
  }
  if (hopeless.empty()) {
    stats_.committed += count;
    ++stats_.commits;
  } else {
    ++stats_.lost;
    process_.log().warn("a click").with("error", hopeless);
  }
  behind_ = false;
  finish(count);
}

void Clicks::finish(std::size_t count) {
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(count));
  apart_ -= std::min(apart_, count);
  finished_ += count;
  release(finished_);
}

void Clicks::release(std::uint64_t last) {
  released_ = std::max(released_, last);
  released_some_.pulse();
}

awaitable<void> Clicks::write(std::vector<Click> clicks) {
  auto transaction = co_await database_.begin();
  std::map<model::Uuid, engagement::CampaignCounters> by_organization;
  co_await engagement::note_clicks(transaction, std::move(clicks), by_organization);
  events::Changes changes;
  pg::Batch last;
  for (const auto& [organization, counters] : by_organization) {
    counters.emit(changes);
    counters.add_to(last);
  }
  if (!changes.empty()) last.add(events::outbox::append, changes.json());
  co_await transaction.commit(std::move(last));
}

}  // namespace parley::conversations::links
