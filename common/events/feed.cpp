#include "common/events/feed.hpp"

#include <algorithm>
#include <optional>

#include "common/events/outbox/sql.hpp"
#include "common/http/body.hpp"
#include "common/http/query.hpp"

namespace parley::events {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kMaxWait = 10;  // seconds; less than a drain takes
constexpr std::int64_t kMaxEvents = 1'000;
constexpr std::int64_t kUsualEvents = 500;
constexpr std::int64_t kMaxOctets = 4 << 20;
constexpr auto kMaxUntilLook = 100ms;  // needed even if only this process writes: the floor advances by looks

struct Look {
  model::Uuid epoch;
  std::int64_t head = 0;
  std::int64_t pruned = 0;
  std::optional<std::int64_t> first;
};
BOOST_DESCRIBE_STRUCT(Look, (), (epoch, head, pruned, first))

struct Sequenced {
  std::int64_t head = 0;
  std::int64_t given = 0;
};
BOOST_DESCRIBE_STRUCT(Sequenced, (), (head, given))

struct Pruned {
  std::int64_t pruned = 0;
  std::int64_t events = 0;
};
BOOST_DESCRIBE_STRUCT(Pruned, (), (pruned, events))

struct Backlog {
  std::int64_t pending = 0;
  std::optional<model::Timestamp> oldest;
};
BOOST_DESCRIBE_STRUCT(Backlog, (), (pending, oldest))

struct EventsQuery {
  std::optional<std::string> consumer;
  std::optional<model::Uuid> epoch;
  std::optional<std::int64_t> after, wait, limit;
};
BOOST_DESCRIBE_STRUCT(EventsQuery, (), (consumer, epoch, after, wait, limit))

EventsQuery read(const std::string& text, const std::vector<std::string>& consumers) {
  auto query = http::read_query<EventsQuery>(text);
  http::Faults faults;
  if (query.consumer && std::find(consumers.begin(), consumers.end(), *query.consumer) == consumers.end())
    faults.add("?consumer", "is not one that this feed knows");
  if (query.after.value_or(0) < 0) faults.add("?after", "must not be negative");
  if (query.wait.value_or(0) < 0) faults.add("?wait", "must not be negative");
  if (query.limit.value_or(1) < 1) faults.add("?limit", "must be 1 at least");
  faults.throw_if_any();
  query.wait = std::min(query.wait.value_or(0), kMaxWait);
  query.limit = std::min(query.limit.value_or(kUsualEvents), kMaxEvents);
  return query;
}

}  // namespace

Feed::Feed(boost::asio::io_context& context, pg::Pool& database, FeedSettings settings, Report report)
    : database_(database),
      settings_(std::move(settings)),
      report_(std::move(report)),
      pause_(settings_.min_pause),
      loop_(
          context, {settings_.min_pause, settings_.max_pause}, [this] { return step(); },
          [this](const auto& what) { failed(what); }) {
  for (const auto& name : settings_.consumers)
    acknowledged_[name];  // creates the entry, so that the metric exists from the start
  database_.on_publish([this] { notify(); });
}

Feed::~Feed() { database_.on_publish({}); }

void Feed::notify() {
  notified_ = true;
  if (resting_) loop_.notify();
}

void Feed::stop() {
  loop_.request_stop();
  news_.pulse();
}

FeedStats Feed::stats() const {
  auto out = stats_;
  out.followers = followers_.size();
  for (const auto& [name, acknowledgement] : acknowledged_) out.acknowledged[name] = acknowledgement.position;
  return out;
}

awaitable<std::chrono::milliseconds> Feed::step() {
  if (Clock::now() >= next_measuring_) co_await measure();  // first, as the steps after it may fail
  const bool busy = co_await tick();
  pause_ = busy ? settings_.min_pause : std::min(pause_ * 2, settings_.max_pause);
  if (Clock::now() >= next_housekeeping_) co_await keep_house();
  co_await rest();
  co_return 0ms;
}

void Feed::failed(std::string_view what) {
  ++stats_.failures;
  report_(what);
}

// Rests until the pause is over or this process appends, but at least for the shortest pause, so that many small
// transactions are sequenced together.
awaitable<void> Feed::rest() {
  last_tick_ = Clock::now();
  for (resting_ = true; !loop_.stopping();) {
    auto pause = notified_ ? settings_.min_pause : pause_;
    if (followers_.size() > 0) pause = std::min(pause, settings_.longest_pause_followed);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(last_tick_ + pause - Clock::now());
    if (left <= 0ms) break;
    co_await loop_.rest(left);
  }
  resting_ = false;
}

awaitable<bool> Feed::tick() {
  if (!registered_) {
    pg::Batch batch(outbox::register_consumers, settings_.consumers);
    batch.add(outbox::forget_consumers, settings_.consumers);
    co_await database_.write(std::move(batch));
    registered_ = true;
  }
  const bool kicked = std::exchange(notified_, false);
  if (kicked && Clock::now() < next_look_) co_return co_await sequence();
  pg::Batch batch(outbox::look, floor_.value(), floor_.world());  // cheaper than a transaction that finds nothing
  floor_.ask(batch);
  const auto results = co_await database_.read(std::move(batch));
  next_look_ = Clock::now() + kMaxUntilLook;
  const auto look = results.one<Look>();
  floor_.learn(results.one<QueueState>(1), look.first);
  stats_.pruned = look.pruned;
  learn(look.epoch, look.head);
  co_return (kicked || look.first) && co_await sequence();
}

// Lock and update are separate statements: an update inside the statement that waits for the lock would use an older
// snapshot and assign positions twice.
awaitable<bool> Feed::sequence() {
  auto transaction = co_await database_.begin();
  const auto locked = co_await transaction.run(pg::Batch(outbox::lock_sequencer));
  if (!locked.one<bool>()) co_return true;  // another replica is sequencing; look again soon
  const auto results =
      co_await transaction.commit(pg::Batch(outbox::sequence, floor_.value(), floor_.world(), settings_.max_sequenced));
  const auto sequenced = results.optional<Sequenced>();
  if (!sequenced) co_return false;
  stats_.sequenced += static_cast<std::uint64_t>(sequenced->given);
  if (sequenced->given == settings_.max_sequenced) notified_ = true;  // there may be more
  learn(epoch_, sequenced->head);
  co_return true;
}

void Feed::learn(const model::Uuid& epoch, std::int64_t head) {
  const bool news = head != stats_.head || epoch != epoch_;
  stats_.head = head;
  epoch_ = epoch;
  if (news) news_.pulse();
}

// Acknowledgements are written periodically: the consumer's next request repeats a lost one.
awaitable<void> Feed::keep_house() {
  next_housekeeping_ =
      Clock::now() + settings_.housekeeping_pause;  // also after a failure, so that events are not delayed
  pg::Batch batch;
  for (const auto& [name, acknowledgement] : acknowledged_)
    if (acknowledgement.position != acknowledgement.written)
      batch.add(outbox::acknowledge, name, acknowledgement.position, acknowledgement.epoch);
  auto written = acknowledged_;  // entries may change meanwhile
  batch.add(outbox::prune, static_cast<std::int64_t>(settings_.retention.count()),
            static_cast<std::int64_t>(settings_.min_age.count()), settings_.max_pruned);
  const std::size_t last = batch.size() - 1;
  const auto results = co_await database_.write(std::move(batch));
  for (const auto& [name, acknowledgement] : written) acknowledged_[name].written = acknowledgement.position;
  const auto pruned = results.optional<Pruned>(last);
  if (pruned) {
    stats_.pruned = pruned->pruned;
    stats_.pruned_events += static_cast<std::uint64_t>(pruned->events);
  }
  const bool more = pruned && pruned->events == settings_.max_pruned;
  if (more) next_housekeeping_ = {};
  if (more) pause_ = settings_.min_pause;
}

awaitable<void> Feed::measure() {
  next_measuring_ = Clock::now() + settings_.measuring_pause;  // also after a failure, so that the feed is not delayed
  const auto results = co_await database_.read(pg::Batch(outbox::backlog, floor_.value(), floor_.world()));
  const auto backlog = results.one<Backlog>();
  stats_.pending = backlog.pending;
  stats_.oldest_pending = backlog.oldest;
}

awaitable<void> Feed::wait_beyond(std::int64_t position, Clock::time_point deadline) {
  if (followers_.size() >= settings_.max_followers)
    throw http::Problem({.status = 503, .detail = "too many follow this feed", .head = "Retry-After: 1\r\n"});
  const auto follower = followers_.enter();
  if (resting_ && followers_.size() == 1) loop_.notify();  // a first follower shortens the pauses
  const auto epoch = epoch_;                               // nil until the first look
  while (!loop_.stopping() && stats_.head <= position && (epoch.is_nil() || epoch == epoch_) &&
         co_await news_.wait(deadline)) {
  }
}

awaitable<FeedPage> Feed::page(std::optional<std::int64_t> after, std::int64_t limit) {
  pg::Batch batch(outbox::look, floor_.value(), floor_.world());
  if (after) batch.add(outbox::page, *after, limit, kMaxOctets);
  const auto results = co_await database_.read(std::move(batch));
  const auto look = results.one<Look>();
  FeedPage page{look.epoch, look.head, look.pruned, look.first.has_value(), {}};
  if (after) page.events = results.rows<Event>(1);
  co_return page;
}

awaitable<FeedPage> Feed::look() { return page(std::nullopt, 0); }

awaitable<FeedPage> Feed::read(std::int64_t after, std::int64_t limit, std::int64_t wait) {
  if (wait > 0) co_await wait_beyond(after, Clock::now() + std::chrono::seconds(wait));
  co_return co_await page(after, limit);
}

awaitable<http::Response> Feed::serve(std::string text) {
  const auto query = events::read(text, settings_.consumers);
  const bool is_strange = query.epoch && query.epoch != epoch_ && !epoch_.is_nil();  // no reason to wait
  if (query.after && *query.wait > 0 && !is_strange)
    co_await wait_beyond(*query.after, Clock::now() + std::chrono::seconds(*query.wait));
  const auto found = co_await page(query.after, *query.limit);
  // An acknowledgement under another epoch concerns other events.
  if (query.consumer && query.after && query.epoch == found.epoch && *query.after <= found.head) {
    auto& acknowledgement = acknowledged_[*query.consumer];
    if (acknowledgement.epoch != found.epoch || acknowledgement.position < *query.after)
      acknowledgement = {found.epoch, *query.after, -1};
  }
  co_return http::json_response(found);
}

}  // namespace parley::events
