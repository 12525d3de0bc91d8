#include "contacts/indexing/worker.hpp"

namespace parley::contacts::indexing {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kLoops = 1;
constexpr auto kPause = 1s;
constexpr auto kSweepPause = 1min;

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
  open_ = co_await store_.open();
  if (open_ == 0) co_return co_await sweep();
  const auto begin = imports::Pace::Clock::now();
  const auto step = co_await store_.fill(pace_.rows());
  contacts_ += static_cast<std::uint64_t>(step.contacts);
  if (step.is_over) report_("an index of an attribute is complete", false);
  if (step.contacts > 0) co_await pace_.make_room(begin);
  co_return step.contacts > 0 || step.is_over;
}

awaitable<bool> Worker::sweep() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_sweep_) co_return false;
  const bool swept = co_await store_.sweep();
  if (!swept) next_sweep_ = now + kSweepPause;
  co_return swept;
}

}  // namespace parley::contacts::indexing
