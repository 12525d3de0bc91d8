#include "contacts/bulk/worker.hpp"

#include <algorithm>

#include "contacts/bulk/apply.hpp"

namespace parley::contacts::bulk {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kLoops = 1;
constexpr auto kPause = 1s;
constexpr std::size_t kMostOfRetry = 50;  // contacts, after an attempt without progress
constexpr std::int64_t kMaxAttempts = 20;
constexpr auto kSweepPause = 1min;

}  // namespace

Worker::Worker(boost::asio::io_context& context, Store& store, Report report)
    : store_(store),
      report_(std::move(report)),
      pace_([&store] { return store.reads_under_way(); }),
      loops_(context, kLoops, kPause, [this] { return look(); }, [this](const auto& what) { failed(what); }) {}

void Worker::start(chassis::Process& process) {
  show(process.metrics());
  loops_.start(process, "bulk changes");
}

void Worker::show(chassis::Metrics& metrics) {
  metrics.gauge_from("bulk_changes_running", "Bulk changes that this process works on", {},
                     [this] { return stats_.running; });
  metrics.counter_from("bulk_change_failures_total", "Attempts to work on a bulk change that ended with an error", {},
                       [this] { return double(stats_.failures); });
  const auto show_contacts = [&](const char* result, const std::uint64_t& count) {
    metrics.counter_from("bulk_change_contacts_total", "Contacts of bulk changes, by what became of them",
                         {{"result", result}}, [&count] { return double(count); });
  };
  show_contacts("changed", stats_.changed);
  show_contacts("unchanged", stats_.unchanged);
  show_contacts("failed", stats_.failed);
}

void Worker::failed(const std::string& what) {
  ++stats_.failures;
  report_(what, true);
}

awaitable<bool> Worker::look() {
  if (const auto job = co_await store_.claim(owner_)) {
    const auto thrown = co_await async::attempt(work(*job));
    if (!thrown) co_return true;
    co_await async::attempt(store_.try_later(*job));  // else when the lease ends
    std::rethrow_exception(thrown);
  }
  const auto now = std::chrono::steady_clock::now();
  if (now < next_sweep_) co_return false;
  next_sweep_ = now + kSweepPause;
  const bool swept = co_await store_.sweep();
  if (swept) next_sweep_ = {};
  co_return swept;
}

awaitable<void> Worker::work(Job job) {
  struct Running {
    explicit Running(int& count_) : count(count_) { ++count; }
    ~Running() { --count; }
    int& count;
  } const running(stats_.running);
  if (job.attempts > kMaxAttempts) {
    co_await store_.fail(
        job, "it could not be worked off: the contacts behind " + job.progress.position.text() + " were tried in vain");
    co_return;
  }
  for (auto stepped = Stepped::done; stepped == Stepped::done;) {
    const auto begin = imports::Pace::Clock::now();
    stepped = co_await step(job);
    if (stepped == Stepped::done && loops_.stopping()) {
      co_await store_.release(job);
      break;
    }
    if (stepped == Stepped::done) {
      co_await pace_.make_room(begin);
      const bool gave_way = co_await store_.give_way(job);
      if (gave_way) co_return;
    }
    if (stepped == Stepped::lost) break;
  }
  report_("bulk change " + job.id.text() + ": " + std::to_string(job.progress.done()) + " contacts" +
              (loops_.stopping() ? ", given back" : ""),
          false);
}

awaitable<Stepped> Worker::step(Job& job) {
  const auto before = job.progress;
  const auto most = std::min({most_of_step(job.action), pace_.rows(), job.attempts > 1 ? kMostOfRetry : pace_.rows()});
  const auto stepped = co_await store_.step(job, most);
  if (stepped == Stepped::lost) co_return stepped;
  stats_.changed += static_cast<std::uint64_t>(job.progress.changed - before.changed);
  stats_.unchanged += static_cast<std::uint64_t>(job.progress.unchanged - before.unchanged);
  stats_.failed += static_cast<std::uint64_t>(job.progress.failed - before.failed);
  co_return stepped;
}

}  // namespace parley::contacts::bulk
