#include "contacts/indexing/worker.hpp"

#include <algorithm>
#include <utility>

namespace parley::contacts::indexing {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kLoops = 1;
constexpr auto kPause = 1s;
constexpr auto kSweepPause = 1min;
constexpr std::size_t kFewest = 10;       // contacts of a step
constexpr auto kLongest = 100ms;          // of a step: writers of its contacts wait for it
constexpr std::size_t kMostBlocked = 20;  // steps without contacts, as others have these locked, until the next pause

}  // namespace

Worker::Worker(boost::asio::io_context& context, Store& store, Report report)
    : store_(store),
      report_(std::move(report)),
      pace_([&store] { return store.reads_under_way(); }),
      loops_(
          context, kLoops, kPause, [this] { return look(); },
          [this](const auto& what) {
            ++failures_;
            report_(what, true);
          }) {}

void Worker::start(chassis::Process& process) {
  show(process.metrics());
  loops_.start(process, "indexes of attributes");
}

void Worker::show(chassis::Metrics& metrics) {
  metrics.gauge_from("attribute_indexes_open", "Indexes of attributes that have not all values yet", {},
                     [this] { return double(open_); });
  metrics.counter_from("attribute_index_contacts_total", "Contacts that were filled into indexes of attributes", {},
                       [this] { return double(contacts_); });
  metrics.counter_from("attribute_index_failures_total",
                       "Attempts to fill an index of an attribute that ended with an error", {},
                       [this] { return double(failures_); });
}

awaitable<bool> Worker::look() {
  co_await sweep();
  open_ = co_await store_.open();
  for (std::size_t i = 0; i < std::min(open_, kMostBlocked); ++i)
    if (co_await fill()) co_return true;
  co_return false;
}

// One step; false: nothing was done.
awaitable<bool> Worker::fill() {
  const auto begin = imports::Pace::Clock::now();
  const auto most = std::exchange(most_, kFewest);  // after an error, too
  const auto step = co_await store_.fill(std::min(most, pace_.rows()));
  const bool is_long = imports::Pace::Clock::now() - begin > kLongest;
  most_ = is_long ? std::max(most / 2, kFewest) : std::min(most + kFewest, imports::Pace::kMostRows);
  contacts_ += static_cast<std::uint64_t>(step.contacts);
  if (step.is_over) report_("an index of an attribute is complete", false);
  if (step.contacts > 0) co_await pace_.make_room(begin);
  co_return step.contacts > 0 || step.is_over;
}

awaitable<void> Worker::sweep() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_sweep_) co_return;
  if (!co_await store_.sweep()) next_sweep_ = now + kSweepPause;
}

}  // namespace parley::contacts::indexing
