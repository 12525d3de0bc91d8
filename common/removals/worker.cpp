#include "common/removals/worker.hpp"

#include <algorithm>

#include "common/removals/sql.hpp"

namespace parley::removals {

namespace {

struct Look {
  std::int64_t pending = 0;
  std::int64_t due = 0;
};
BOOST_DESCRIBE_STRUCT(Look, (), (pending, due))

}  // namespace

Worker::Worker(boost::asio::io_context& context, pg::Pool& database, std::vector<Kind> kinds, events::Report report,
               WorkerSettings settings)
    : database_(database),
      kinds_(std::move(kinds)),
      report_(std::move(report)),
      settings_(settings),
      loop_(
          context,
          {settings.idle_pause, std::max<std::chrono::milliseconds>(settings.idle_pause, settings.retry_pause)},
          [this] { return step(); },
          [this](const auto& what) {
            ++stats_.failures;
            report_(what);
          }) {
  for (const auto& kind : kinds_) names_.push_back(kind.name);
}

awaitable<std::chrono::milliseconds> Worker::step() {
  const bool busy = std::exchange(busy_, false);
  if (at_work_) co_await postpone(*std::exchange(at_work_, std::nullopt));  // it failed: others get their turn
  const bool is_due = busy || co_await look();  // cheaper than a transaction that finds nothing
  if (is_due) busy_ = co_await work();
  co_return busy_ ? settings_.busy_pause : settings_.idle_pause;
}

awaitable<bool> Worker::look() {
  const auto results = co_await database_.read(pg::Batch(sql::look, names_));
  const auto look = results.one<Look>();
  stats_.pending = look.pending;
  co_return look.due > 0;
}

// Runs one transaction. Returns false if nothing is due or other replicas hold it.
awaitable<bool> Worker::work() {
  auto transaction = co_await database_.begin();
  const auto taken = co_await transaction.run(pg::Batch(sql::take, names_));
  at_work_ = taken.optional<Removal>();
  if (!at_work_) co_return false;
  const Removal removal = *at_work_;
  const auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](auto& each) { return each.name == removal.kind; });
  const auto removed = co_await remove_some(transaction, *kind, removal);
  const auto too_young = std::max<std::int64_t>(kind->min_age.count() - removal.age, 0);
  const bool over = removed == 0 && too_young == 0;
  co_await transaction.commit(over ? last_batch(*kind, removal) : next_turn(removal, removed > 0 ? 0 : too_young));
  at_work_.reset();
  stats_.rows += removed;
  stats_.finished += over;
  co_return true;
}

// Removes about one step's limit of rows; may exceed it after steps that found fewer.
awaitable<std::uint64_t> Worker::remove_some(pg::Transaction& transaction, const Kind& kind, const Removal& removal) {
  std::uint64_t removed = 0;
  for (const auto& step : kind.steps) {
    const auto left = settings_.most - static_cast<std::int64_t>(removed);
    if (left <= 0) break;
    const auto results =
        co_await transaction.run(pg::Batch(*step.statement, removal.organization_id, removal.id, left));
    if (results.affected() == 0) continue;
    removed += results.affected();
    auto then = step.then ? step.then(removal, results) : pg::Batch();
    if (!then.empty()) co_await transaction.run(std::move(then));
  }
  co_return removed;
}

pg::Batch Worker::last_batch(const Kind& kind, const Removal& removal) {
  pg::Batch batch;
  for (const auto* statement : kind.last) batch.add(*statement, removal.organization_id, removal.id);
  batch.add(kind.keep ? sql::finish_kept : sql::finish, removal.organization_id, removal.kind, removal.id);
  return batch;
}

// Moves the removal behind the others.
pg::Batch Worker::next_turn(const Removal& removal, std::int64_t seconds) {
  return pg::Batch(sql::postpone, removal.organization_id, removal.kind, removal.id, seconds);
}

awaitable<void> Worker::postpone(Removal removal) {
  co_await database_.write(next_turn(removal, settings_.retry_pause.count()));
}

}  // namespace parley::removals
