#include "conversations/dispatch/worker.hpp"

#include <set>

namespace parley::conversations::dispatch {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kNumbersOfLook = 1'000;
constexpr std::size_t kTakenAtOnce = 16;  // leaves a share to other dispatchers
constexpr std::uint64_t kRowsOfHousekeeping = 500;
constexpr std::chrono::milliseconds kHousekeepingPause{1'000}, kMeasurePause{15'000};
constexpr auto kMaxStop = 30s;

}  // namespace

Worker::Worker(chassis::Process& process, pg::Pool& database, channel::Accounts& accounts, channel::Client& client,
               const Settings& settings)
    : process_(process),
      settings_(settings),
      store_(database, settings_),
      campaign_store_(database, settings_, owner_),
      context_{.process = process,
               .store = store_,
               .campaign_store = campaign_store_,
               .accounts = accounts,
               .client = client,
               .settings = settings_,
               .owner = owner_},
      looking_(loop(&Worker::look, 1s)),
      renewing_(loop(&Worker::renew, 500ms)),
      housekeeping_(loop(&Worker::keep_house, 5s)),
      measuring_(loop(&Worker::measure, kMeasurePause)) {
  show();
}

void Worker::show() {
  auto& metrics = process_.metrics();
  metrics.gauge_from("dispatch_inflight", "Messages on their way to the channel", {},
                     [this] { return double(context_.in_flight); });
  metrics.gauge_from("dispatch_unknown", "Messages that may or may not have been sent", {},
                     [this] { return double(depth_.in_doubt); });
  metrics.gauge_from("dispatch_queue_depth", "Messages and receipts that are not answered for good", {},
                     [this] { return double(depth_.due + depth_.sending); });
  metrics.gauge_from("dispatch_oldest_due_timestamp_seconds", "Since when the longest due is due; 0: nothing is", {},
                     [this] { return depth_.oldest ? double(depth_.oldest->milliseconds_since_epoch) / 1000 : 0.0; });
  metrics.gauge_from("dispatch_numbers_stopped", "Phone numbers that the channel takes nothing from", {},
                     [this] { return double(depth_.stopped); });
  metrics.gauge_from("dispatch_numbers_owned", "Phone numbers that this process sends from", {},
                     [this] { return double(numbers_.size()); });
  metrics.counter_from("dispatch_lease_expired_total", "Phone numbers that others took from this process", {},
                       [this] { return double(context_.lost); });
  metrics.counter_from("dispatch_failures_total", "Steps that failed and were made again", {},
                       [this] { return double(context_.failures); });
}

void Worker::start() {
  process_.spawn("looking for numbers", looking_.run());
  process_.spawn("leases", renewing_.run());
  process_.spawn("housekeeping of the queue", housekeeping_.run());
  process_.spawn("measuring the queue", measuring_.run());
}

// The pause after failures does not grow: leases are short.
async::Loop Worker::loop(Step step, milliseconds after_failure) {
  return async::Loop(
      process_.context(), {after_failure, after_failure}, [this, step] { return (this->*step)(); },
      [this](const auto& what) { context_.failed(what); });
}

// Wakes this dispatcher's numbers with due rows, and takes numbers without an owner.
awaitable<Worker::milliseconds> Worker::look() {
  const auto waiting = co_await store_.numbers(context_.owner, after_, kNumbersOfLook);
  const bool more = static_cast<std::int64_t>(waiting.size()) == kNumbersOfLook;
  after_ = more ? NumberId{waiting.back().organization_id, waiting.back().phone_number_id} : NumberId{};
  const bool sees = Clock::now() >= context_.blind_until;
  std::vector<NumberId> wanted;
  for (const auto& number : waiting) {
    NumberId id{number.organization_id, number.phone_number_id};
    const auto ours = numbers_.find(id);
    if (ours != numbers_.end())
      ours->second->notify();
    else if (sees && number.free && wanted.size() < kTakenAtOnce && numbers_.size() + wanted.size() < settings_.numbers)
      wanted.push_back(std::move(id));
  }
  if (!wanted.empty() && !stopped_) {
    const auto lease_end = Clock::now() + settings_.lease;
    const auto taken = co_await store_.take(context_.owner, wanted);
    for (const auto& number : taken) adopt(number, lease_end);
  }
  co_return more ? 0ms : settings_.look_pause;
}

// A number whose take was not answered is not in numbers_: its lease expires.
awaitable<Worker::milliseconds> Worker::renew() {
  const auto lease_end = Clock::now() + settings_.lease;
  const auto held = numbers_;
  std::vector<NumberId> ids;
  for (const auto& [id, number] : held) ids.push_back(id);
  if (ids.empty()) co_return settings_.lease / 4;
  const auto renewed = co_await store_.renew(context_.owner, std::move(ids));
  const std::set<NumberId> ours(renewed.begin(), renewed.end());
  for (const auto& [id, number] : held) ours.contains(id) ? number->renewed(lease_end) : number->lose();
  co_return settings_.lease / 4;
}

void Worker::adopt(const Taken& taken, Clock::time_point lease_end) {
  const NumberId id{taken.organization_id, taken.phone_number_id};
  const auto number = std::make_shared<SenderWorker>(context_, id, lease_end, taken.abandoned, taken.stopped);
  if (stopped_) number->end();
  numbers_.emplace(id, number);
  process_.spawn("a number", working_.run(work(id, number)));
}

awaitable<void> Worker::work(NumberId id, std::shared_ptr<SenderWorker> number) {
  co_await number->run();
  numbers_.erase(id);
}

awaitable<Worker::milliseconds> Worker::keep_house() {
  const auto found = co_await store_.keep_house(context_.owner, kRowsOfHousekeeping);
  co_return found < kRowsOfHousekeeping ? kHousekeepingPause : 10ms;
}

awaitable<Worker::milliseconds> Worker::measure() {
  depth_ = co_await store_.depth();
  co_return kMeasurePause;
}

awaitable<void> Worker::stop() {
  stopped_ = true;
  for (auto* loop : {&looking_, &renewing_, &housekeeping_, &measuring_}) loop->request_stop();
  for (const auto& [id, number] : numbers_) number->end();
  co_await working_.join(Clock::now() + kMaxStop);
}

}  // namespace parley::conversations::dispatch
