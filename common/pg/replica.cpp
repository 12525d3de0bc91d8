#include "common/pg/replica.hpp"

#include <string_view>
#include <utility>

#include "common/async/pause.hpp"
#include "common/pg/waits.hpp"

namespace parley::pg {
namespace {

using namespace std::chrono_literals;

// Deadline of a read-lane batch on a replica, after which the primary still answers in time. For a slow batch, which
// the primary would not answer sooner, the interval at which its server is asked whether it is alive.
constexpr auto read_timeout = 2'000ms;
// Pause before a replica is asked a second time: about the time a commit takes to reach a replica in the same network.
constexpr auto second_chance = 4ms;
// Longest wait of a slow batch for a connection to a replica; then the primary answers.
constexpr auto slow_wait = 250ms;

const Statement replica_position(
    "pg.replica_position",
    "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::int8 END AS position", Lane::read,
    {}, Statement::Kind::unlisted);

// An error that the primary would return too: a bad value (class 22) or a statement timeout. Any other error may be the
// replica's own: a recovery conflict, a shutdown, a lock.
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
  out.outage_grace = 0ms;  // no read waits for a replica that is down
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

// Sends the statements right behind the position query where the last position was current, as this one likely is too.
// Discards the result if the replica turns out to be behind.
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

// If `copy` is unfinished afterwards, the replica hangs. With several replicas the query may reach another one than
// `copy`; a single one that hangs is waited for until its connection's deadline.
awaitable<void> Replica::finish_slow(std::shared_ptr<Replica> self, PipelinedBatchPtr copy) {
  while (true) {
    co_await within(self->replica_->context(), copy, read_timeout);
    if (copy->finished()) co_return;
    const auto question = co_await ask(self->replica_, replica_position);
    if (!answered_well(*question)) co_return;
  }
}

// Leases the best idle connection, or the next one that becomes free; an empty lease if none does in time.
awaitable<Lease> Replica::lease(std::shared_ptr<Replica> self, model::Uuid organization, Mark mark) {
  if (self->replica_->may_take(Lane::slow, organization))
    if (auto connection = self->trust_->pick_idle(mark))
      co_return self->replica_->take(Lane::slow, organization, std::move(connection));
  try {
    co_return co_await Core::checkout(self->replica_, Lane::slow, organization);
  } catch (const Unavailable&) {  // all are busy, or were lost meanwhile
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

PipelinedBatchPtr Replica::send_copy(const PipelinedBatch& exchange, Connection& connection) const {
  auto copy = PipelinedBatchPtr::make();
  copy->bytes = exchange.bytes;
  copy->parameters = exchange.parameters;
  copy->calls = exchange.calls;
  copy->made = exchange.made;
  copy->lane = exchange.lane;
  copy->organization = exchange.organization;
  copy->trace = exchange.trace;
  copy->frame = replica_->frame_of(exchange.lane, exchange.calls.size());
  connection.send(copy);
  return copy;
}

}  // namespace parley::pg
