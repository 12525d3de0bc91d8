#include "common/pg/replica.hpp"

#include <string_view>
#include <utility>

#include "common/async/pause.hpp"
#include "common/pg/waits.hpp"

namespace parley::pg {
namespace {

using namespace std::chrono_literals;

// Nor is a batch waited for without end that a replica has begun: the primary can still answer in time. One of the slow
// lane is, as the primary would take as long; but that often its server is asked whether it lives.
constexpr auto read_timeout = 2'000ms;
// Between the two times that replicas are asked: about what a commit takes to one on a network of one place.
constexpr auto second_chance = 4ms;
// A slow batch that has waited so long for a connection to the replica goes to the primary.
constexpr auto slow_wait = 250ms;

// NULL when it is no replica any more.
const Statement replica_position(
    "pg.replica_position",
    "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::int8 END AS position", Lane::read,
    {}, Statement::Prepare::at_first_use);

// An answer that the primary would give too: a value that no server can hold, or a statement that ran out of its time.
// Anything else may be the replica's own: a conflict with what it replays, a shutdown, a lock.
bool same_anywhere(const PipelinedBatch& exchange) {
  if (exchange.state != PipelinedBatch::State::answered || exchange.stale_plan) return false;
  const std::string_view state = exchange.fault.state;
  return state.starts_with("22") || (state == "57014" && Clock::now() - exchange.sent_at > 1s);
}

bool will_do(const PipelinedBatch& exchange) { return answered_well(exchange) || same_anywhere(exchange); }

Settings settings_of(const Settings& primary) {
  Settings out = primary;
  out.url = primary.replica_url;
  out.write_connections = 0;
  out.prepared = true;
  out.slow_wait = slow_wait;
  out.outage_grace = 0ms;  // nothing waits for a replica that is away
  return out;
}

}  // namespace

Replica::Replica(asio::io_context& context, std::shared_ptr<Core> primary, const Settings& settings)
    : primary_(std::move(primary)),
      replica_(std::make_shared<Core>(context, settings_of(settings), true)),
      position_(std::make_shared<LogPosition>(primary_)),
      trust_(std::make_shared<ReplicaHealth>(primary_, replica_)) {}

void Replica::shut() {
  trust_->shut();
  replica_->shut();
  position_->shut();
}

awaitable<void> Replica::close() {
  const auto self = shared_from_this();
  co_await replica_->close();
  shut();
}

LaneStats Replica::stats() const {
  LaneStats out = replica_->stats(Lane::read);
  out += replica_->stats(Lane::slow);
  out.queue_full = out.late = out.too_many = out.rejected = 0;  // the primary answered
  if (!trust_->refusal().empty()) out.last_failure = trust_->refusal();
  return out;
}

void Replica::observe(Observer observer) {
  replica_->observe([observer = std::move(observer)](BatchReport report) {
    report.lane = Lane::replica;
    observer(report);
  });
}

void Replica::observe_waits(WaitObserver observer) {
  replica_->observe_waits([observer = std::move(observer)](Lane, double seconds) { observer(Lane::replica, seconds); });
}

// ---- reads ----------------------------------------------------------------------------------------------------------

awaitable<Results> Replica::read(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange) {
  auto answered = co_await answer_by_replica(self, exchange);
  if (answered) {
    throw_failure(*answered);
    co_return Results(std::move(answered));
  }
  if (exchange->lane == Lane::slow) co_return co_await Core::run_alone(self->primary_, std::move(exchange));
  co_return co_await Core::finish_read(self->primary_, std::move(exchange));
}

awaitable<PipelinedBatchPtr> Replica::answer_by_replica(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange) {
  const auto prospect = self->trust_->prospect(exchange->lane);
  if (prospect != Prospect::likely) co_return self->leave_to_primary(prospect);
  const auto mark = co_await LogPosition::ask_primary(self->position_);
  if (!mark) co_return self->leave_to_primary(Prospect::none);
  PipelinedBatchPtr answered;
  if (exchange->lane == Lane::slow)
    answered = co_await try_slow(self, exchange, *mark);
  else
    answered = co_await try_read(self, exchange, *mark);
  if (answered) ++self->reads_.replica;
  co_return answered;
}

PipelinedBatchPtr Replica::leave_to_primary(Prospect why) {
  ++(why == Prospect::behind ? reads_.behind : reads_.away);
  return {};
}

// The statements travel behind the question, in one write, where the last question was answered well: then that is
// likely. An answer that comes too early is thrown away.
awaitable<PipelinedBatchPtr> Replica::try_read(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange, Mark mark) {
  for (bool second = false;; second = true) {
    const auto connection = self->trust_->pick(mark);
    if (!connection || !self->replica_->may_read(exchange->organization))
      co_return self->leave_to_primary(Prospect::none);
    const bool together = !second && self->trust_->up_to_date(*connection);
    const auto question = self->ask_position(connection);
    PipelinedBatchPtr copy;
    if (together && question.holds()) copy = self->send_copy(*exchange, *connection);
    const auto heard = co_await hear(self, question, mark, second);
    if (heard == Prospect::none || (heard == Prospect::behind && second)) co_return self->leave_to_primary(heard);
    if (heard == Prospect::behind) {
      co_await async::pause(second_chance);
      continue;
    }
    if (!copy) {
      if (!question.holds()) co_return self->leave_to_primary(Prospect::none);
      copy = self->send_copy(*exchange, *connection);
    }
    co_await within(self->replica_->context(), copy, read_timeout);
    if (!will_do(*copy)) co_return self->leave_to_primary(Prospect::none);
    co_return copy;
  }
}

awaitable<PipelinedBatchPtr> Replica::try_slow(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange, Mark mark) {
  for (bool second = false;; second = true) {
    const auto leased = co_await lease(self, exchange->organization, mark);
    if (!leased) co_return self->leave_to_primary(Prospect::none);
    const auto connection = leased.connection().shared_from_this();
    if (self->trust_->due(*connection)) co_await ReplicaHealth::look(self->trust_, connection);
    auto heard = Prospect::none;
    if (leased.holds() && self->trust_->usable(*connection, mark)) {
      const auto question = self->ask_position(connection);
      heard = co_await hear(self, question, mark, second);
    }
    if (heard == Prospect::likely && leased.holds() && connection->ready()) {
      auto copy = self->send_copy(*exchange, *connection);
      co_await finish_slow(self, copy);
      if (!will_do(*copy)) co_return self->leave_to_primary(Prospect::none);
      co_return copy;
    }
    if (second) co_return self->leave_to_primary(heard);
    if (heard == Prospect::behind) co_await async::pause(second_chance);
  }
}

// Unfinished afterwards: the replica hangs. (Of several any may be asked: one that hangs alone is waited for until its
// connection's deadline.)
awaitable<void> Replica::finish_slow(std::shared_ptr<Replica> self, PipelinedBatchPtr copy) {
  while (true) {
    co_await within(self->replica_->context(), copy, read_timeout);
    if (copy->finished()) co_return;
    const auto question = co_await ask(self->replica_, replica_position);
    if (!answered_well(*question)) co_return;
  }
}

// Of the idle ones the most promising, or else whichever becomes free soon; an empty lease: none did.
awaitable<Lease> Replica::lease(std::shared_ptr<Replica> self, model::Uuid organization, Mark mark) {
  if (self->replica_->may_take(Lane::slow, organization))
    if (auto connection = self->trust_->pick_idle(mark))
      co_return self->replica_->take(Lane::slow, organization, std::move(connection));
  try {
    co_return co_await Core::checkout(self->replica_, Lane::slow, organization);
  } catch (const Unavailable&) {  // all busy, or gone meanwhile
  }
  co_return Lease();
}

Replica::Question Replica::ask_position(std::shared_ptr<Connection> connection) const {
  const auto epoch = connection->epoch();
  auto exchange = replica_->prepare(Batch(replica_position), Lane::read, Frame::bare);
  connection->send(exchange);
  return {std::move(exchange), std::move(connection), epoch};
}

awaitable<Prospect> Replica::hear(std::shared_ptr<Replica> self, Question question, Mark mark, bool second) {
  const auto& exchange = question.exchange;
  co_await within(self->replica_->context(), exchange, timeout);
  if (question.connection->epoch() != question.epoch) co_return Prospect::none;
  if (!exchange->finished()) self->trust_->silent(*question.connection);
  if (!answered_well(*exchange)) co_return Prospect::none;
  const auto position = Results(exchange).one<std::optional<std::int64_t>>();
  co_return self->trust_->told(*question.connection, position, mark, second);
}

// Only the way out is copied.
PipelinedBatchPtr Replica::send_copy(const PipelinedBatch& exchange, Connection& connection) const {
  auto copy = PipelinedBatchPtr::make();
  copy->bytes = exchange.bytes;
  copy->parameters = exchange.parameters;
  copy->calls = exchange.calls;
  copy->lane = exchange.lane;
  copy->organization = exchange.organization;
  copy->trace = exchange.trace;
  copy->frame = replica_->frame_of(exchange.lane, exchange.calls.size());
  connection.send(copy);
  return copy;
}

}  // namespace parley::pg
