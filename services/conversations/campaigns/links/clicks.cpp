#include "conversations/campaigns/links/clicks.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

#include "common/async/loop.hpp"
#include "common/events/outbox/sql.hpp"

namespace parley::conversations::links {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {
constexpr std::size_t kMaxOfCommit = 256;
constexpr auto kFirstPause = 100ms, kMaxPause = 2'000ms;
}  // namespace

// Who waits for the commit of a click. The loop may destroy it.
class Clicks::Visitor {
 public:
  Visitor(Clicks& clicks, std::uint64_t number)
      : clicks_(clicks), number_(number), timer_(clicks.process_.context(), kTimeout) {
    clicks_.visitors_.emplace(number_, this);
  }
  ~Visitor() { clicks_.visitors_.erase(number_); }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  void release() { timer_.cancel(); }
  awaitable<void> wait() { co_await timer_.async_wait(asio::as_tuple(asio::deferred)); }

 private:
  Clicks& clicks_;
  std::uint64_t number_;
  asio::steady_timer timer_;
};

Clicks::Clicks(chassis::Process& process, pg::Pool& database)
    : process_(process), database_(database), timer_(process.context()) {
  auto& metrics = process_.metrics();
  metrics.counter_from("link_clicks_total", "Clicks on campaigns' links that were committed", {},
                       [this] { return double(stats_.committed); });
  metrics.counter_from("link_click_commits_total", "Transactions that committed them", {},
                       [this] { return double(stats_.commits); });
  metrics.counter_from("link_clicks_lost_total", "Clicks that were followed and never counted", {},
                       [this] { return double(stats_.lost); });
  metrics.gauge_from("link_clicks_waiting", "Clicks that are not committed yet", {},
                     [this] { return double(queue_.size()); });
}

void Clicks::start() {
  running_ = true;
  process_.spawn("clicks", run());
}

awaitable<void> Clicks::stop() {
  stopped_ = true;
  give_up_ = Clock::now() + kDrainTime;
  asio::steady_timer timer(process_.context());
  for (timer_.cancel(); running_;) {
    timer.expires_after(5ms);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
    if (Clock::now() > give_up_) timer_.cancel();
  }
}

awaitable<void> Clicks::take(Click click) {
  if (queue_.size() >= kMaxWaiting) {
    ++stats_.lost;
    co_return;
  }
  queue_.push_back(click);
  const auto number = ++taken_;
  if (idle_) timer_.cancel();
  if (behind_) co_return;
  Visitor visitor(*this, number);
  co_await visitor.wait();
  if (finished_ < number) behind_ = true;
}

awaitable<void> Clicks::rest(std::chrono::milliseconds time) {
  timer_.expires_after(time);
  co_await timer_.async_wait(asio::as_tuple(asio::deferred));
}

awaitable<void> Clicks::run() {
  auto pause = kFirstPause;
  while (!stopped_ || (!queue_.empty() && Clock::now() < give_up_)) {
    if (queue_.empty()) {
      idle_ = true;
      co_await rest(1h);
      idle_ = false;
      continue;
    }
    const auto thrown = co_await async::attempt(write_first());
    if (!thrown) {
      pause = kFirstPause;
      continue;
    }
    process_.log().warn("clicks").with("error", async::words_of(thrown)).with("waiting", queue_.size());
    behind_ = true;
    release(taken_);
    co_await rest(pause);
    pause = std::min<std::chrono::milliseconds>(2 * pause, kMaxPause);
  }
  stats_.lost += queue_.size();
  running_ = false;
}

// Those at the front. Throws if they are to be tried again, which does no harm if they were committed.
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
  for (const auto& [number, visitor] : visitors_) {
    if (number > last) break;
    visitor->release();
  }
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
