#include "common/pg/replica.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/describe.hpp>
#include <utility>

namespace parley::pg {
namespace {

using namespace std::chrono_literals;
using Prepare = Statement::Prepare;

// A replica that has not said by then what it has replayed hangs.
constexpr auto patience = 500ms;
// Nor is a batch waited for without end that it has begun: the primary can still answer in time.
constexpr auto patience_to_read = 2'000ms;
constexpr auto patience_when_slow = 6'000ms;
// Between the two times that it is asked: about what a commit takes to it on a network of one place.
constexpr auto second_chance = 4ms;
// What is so many octets behind will be so for a while; and so does hang what hangs.
constexpr std::int64_t far_behind = 1 << 20;
constexpr auto rest_when_behind = 100ms;
constexpr auto rest_when_silent = 1'000ms;
constexpr auto look_again = 1'000ms;
constexpr auto look_again_when_refused = 5'000ms;
// A slow batch that has waited so long for a connection to the replica goes to the primary.
constexpr auto slow_wait = 250ms;

struct MarkRow {
  std::int64_t position = 0;
  std::string timeline;
  model::Timestamp started;
};
BOOST_DESCRIBE_STRUCT(MarkRow, (), (position, timeline, started))

const Statement primary_position(
    "pg.primary_position",
    "SELECT (pg_current_wal_flush_lsn() - '0/0')::int8 AS position, "
    "left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline, pg_postmaster_start_time() AS started",
    Lane::read, {}, Prepare::at_first_use);

// NULL when it is no replica any more.
const Statement replica_position(
    "pg.replica_position",
    "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::int8 END AS position", Lane::read,
    {}, Prepare::at_first_use);

struct PrimaryRow {
  std::int64_t system = 0, database = 0;
  std::string schema;
  std::int64_t position = 0;
  std::string timeline;
  model::Timestamp started;
  bool durable = false;
};
BOOST_DESCRIBE_STRUCT(PrimaryRow, (), (system, database, schema, position, timeline, started, durable))

const Statement primary_identity(
    "pg.primary_identity",
    "SELECT (SELECT system_identifier FROM pg_control_system()) AS system, "
    "(SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database, "
    "coalesce(current_schema(), '')::text AS schema, (pg_current_wal_flush_lsn() - '0/0')::int8 AS position, "
    "left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline, pg_postmaster_start_time() AS started, "
    "current_setting('synchronous_commit') <> 'off' AS durable",
    Lane::read, {}, Prepare::never);

struct ReplicaRow {
  std::int64_t system = 0, database = 0;
  std::string schema;
  std::int64_t backend = 0;
  std::optional<std::int64_t> position;
  std::string timeline;
};
BOOST_DESCRIBE_STRUCT(ReplicaRow, (), (system, database, schema, backend, position, timeline))

// The timeline is that of the last restart point, of the last page written, or (where the role may see it: it is a
// member of pg_read_all_stats) of what streams in. The first two lag behind a switch, which then only costs reads.
const Statement replica_identity(
    "pg.replica_identity",
    "SELECT (SELECT system_identifier FROM pg_control_system()) AS system, "
    "(SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database, "
    "coalesce(current_schema(), '')::text AS schema, pg_backend_pid()::int8 AS backend, "
    "CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::int8 END AS position, "
    "upper(lpad(to_hex(greatest((SELECT timeline_id FROM pg_control_checkpoint()), "
    "(SELECT min_recovery_end_timeline FROM pg_control_recovery()), "
    "(SELECT received_tli FROM pg_stat_wal_receiver))), 8, '0')) AS timeline",
    Lane::read, {}, Prepare::never);

bool answered_well(const Exchange& exchange) { return exchange.state == Exchange::State::answered && !exchange.failed; }

// An answer that the primary would give too: a value that no server can hold, or a statement that ran out of its time.
// Anything else may be the replica's own: a conflict with what it replays, a shutdown, a lock.
bool same_anywhere(const Exchange& exchange) {
  if (exchange.state != Exchange::State::answered || exchange.stale_plan) return false;
  const std::string_view state = exchange.fault.state;
  return state.starts_with("22") || (state == "57014" && Clock::now() - exchange.sent_at > 1s);
}

// Only the way out.
ExchangePtr copy_of(const Exchange& exchange, Frame frame) {
  auto copy = ExchangePtr::make();
  copy->bytes = exchange.bytes;
  copy->parameters = exchange.parameters;
  copy->calls = exchange.calls;
  copy->lane = exchange.lane;
  copy->trace = exchange.trace;
  copy->frame = frame;
  return copy;
}

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
    : context_(context),
      primary_(std::move(primary)),
      replica_(std::make_shared<Core>(context, settings_of(settings), true)) {}

LaneStats Replica::stats() const {
  LaneStats out = replica_->stats(Lane::read);
  const LaneStats slow = replica_->stats(Lane::slow);
  out.configured += slow.configured;
  out.connections += slow.connections;
  out.active += slow.active;
  out.idle += slow.idle;
  out.in_flight += slow.in_flight;
  out.waiters += slow.waiters;
  out.connects += slow.connects;
  out.connect_failures += slow.connect_failures;
  out.batches += slow.batches;
  out.statements += slow.statements;
  out.lost += slow.lost;
  out.rejected += slow.rejected;
  out.deadlines += slow.deadlines;
  out.waits += slow.waits;
  out.wait_seconds += slow.wait_seconds;
  out.batch_seconds += slow.batch_seconds;
  for (const auto& [state, count] : slow.errors) out.errors[state] += count;
  if (!refusal_.empty()) out.last_failure = refusal_;
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

awaitable<Results> Replica::read(std::shared_ptr<Replica> self, ExchangePtr exchange) {
  ExchangePtr answered;
  auto outcome = self->prospect(Lane::read);
  if (outcome == Outcome::answered) {
    const auto mark = co_await Replica::mark(self);
    outcome = Outcome::away;
    if (mark) outcome = co_await try_read(self, exchange, *mark, answered);
  }
  self->count(outcome);
  if (answered) {
    throw_failure(*answered);
    co_return Results(std::move(answered));
  }
  self->primary_->try_read(exchange);
  co_return co_await Core::finish_read(self->primary_, std::move(exchange));
}

awaitable<Results> Replica::slow(std::shared_ptr<Replica> self, ExchangePtr exchange) {
  ExchangePtr answered;
  auto outcome = self->prospect(Lane::slow);
  if (outcome == Outcome::answered) {
    const auto mark = co_await Replica::mark(self);
    outcome = Outcome::away;
    if (mark) outcome = co_await try_slow(self, exchange, *mark, answered);
  }
  self->count(outcome);
  if (answered) {
    throw_failure(*answered);
    co_return Results(std::move(answered));
  }
  co_return co_await Core::run_alone(self->primary_, std::move(exchange));
}

void Replica::count(Outcome outcome) {
  ++(outcome == Outcome::answered ? reads_.replica : outcome == Outcome::behind ? reads_.behind : reads_.away);
}

// The statements travel behind the question, in one write, where the last question was answered well: then that is
// likely. An answer that comes too early is thrown away.
awaitable<Replica::Outcome> Replica::try_read(std::shared_ptr<Replica> self, ExchangePtr exchange, Mark mark,
                                              ExchangePtr& answered) {
  const auto frame = self->replica_->frame_of(Lane::read, exchange->calls.size());
  for (bool second = false;; second = true) {
    const auto connection = self->pick(mark);
    if (!connection) co_return Outcome::away;
    const auto epoch = connection->epoch();
    const bool together = !second && self->standing(*connection).up_to_date;
    auto question = self->ask_position(*connection);
    ExchangePtr copy;
    if (together && connection->ready()) {
      copy = copy_of(*exchange, frame);
      connection->send(copy);
    }
    co_await self->within(question, patience);
    const auto outcome = self->judge(question, *connection, epoch, mark, second);
    if (outcome == Outcome::away || (outcome == Outcome::behind && second)) co_return outcome;
    if (outcome == Outcome::behind) {
      co_await self->pause(second_chance);
      continue;
    }
    if (!copy) {
      if (!connection->ready() || connection->epoch() != epoch) co_return Outcome::away;
      copy = copy_of(*exchange, frame);
      connection->send(copy);
    }
    co_await self->within(copy, patience_to_read);
    if (!answered_well(*copy) && !same_anywhere(*copy)) co_return Outcome::away;
    answered = std::move(copy);
    co_return Outcome::answered;
  }
}

awaitable<Replica::Outcome> Replica::try_slow(std::shared_ptr<Replica> self, ExchangePtr exchange, Mark mark,
                                              ExchangePtr& answered) {
  Lease lease;
  try {
    lease = co_await Core::checkout(self->replica_, Lane::slow);
  } catch (const Unavailable&) {  // all busy, or gone meanwhile
  }
  if (!lease || !self->trusted(lease.connection(), mark)) co_return Outcome::away;
  const auto epoch = lease.connection().epoch();
  for (bool second = false;; second = true) {
    auto question = self->ask_position(lease.connection());
    co_await self->within(question, patience);
    const auto outcome = self->judge(question, lease.connection(), epoch, mark, second);
    if (outcome == Outcome::answered) break;
    if (outcome == Outcome::away || second) co_return outcome;
    co_await self->pause(second_chance);
    if (!lease.holds() || !lease.connection().ready()) co_return Outcome::away;
  }
  if (!lease.holds() || !lease.connection().ready()) co_return Outcome::away;
  auto copy = copy_of(*exchange, self->replica_->frame_of(Lane::slow, exchange->calls.size()));
  lease.connection().send(copy);
  co_await self->within(copy, patience_when_slow);
  if (!answered_well(*copy) && !same_anywhere(*copy)) co_return Outcome::away;
  answered = std::move(copy);
  co_return Outcome::answered;
}

ExchangePtr Replica::ask_position(Connection& connection) const {
  auto question = replica_->prepare(Batch(replica_position), Lane::read, Frame::bare);
  connection.send(question);
  return question;
}

// What the answer to ask_position means, and what it says of the connection.
Replica::Outcome Replica::judge(const ExchangePtr& question, Connection& connection, unsigned epoch, const Mark& mark,
                                bool second) {
  if (connection.epoch() != epoch) return Outcome::away;
  auto& standing = this->standing(connection);
  if (!answered_well(*question)) {
    if (!question->finished()) standing.rests_until = Clock::now() + rest_when_silent;
    return Outcome::away;
  }
  const auto position = Results(question).one<std::optional<std::int64_t>>();
  if (!position) {
    refuse(connection, "it is no replica any more");
    return Outcome::away;
  }
  standing.up_to_date = *position >= mark.position;
  if (standing.up_to_date) return Outcome::answered;
  if (second && mark.position - *position > far_behind) standing.rests_until = Clock::now() + rest_when_behind;
  return Outcome::behind;
}

// ---- the primary's position -----------------------------------------------------------------------------------------

awaitable<std::optional<Replica::Mark>> Replica::mark(std::shared_ptr<Replica> self) {
  if (!self->next_) self->next_ = std::make_shared<Question>();
  const auto question = self->next_;
  if (!self->asked_) self->ask();
  if (!question->over) {
    auto start = [question](auto handler) { question->askers.emplace_back().set(std::move(handler)); };
    co_await asio::async_initiate<const asio::deferred_t, void()>(std::move(start), asio::deferred);
  }
  co_return question->mark;
}

// One question is under way at a time; whoever comes meanwhile shares the next.
void Replica::ask() {
  asked_ = std::exchange(next_, nullptr);
  auto exchange = primary_->prepare(Batch(primary_position), Lane::read, primary_->frame_of(Lane::read, 1));
  primary_->try_read(exchange);
  if (exchange->state == Exchange::State::sent)
    exchange->waiter.set([self = shared_from_this(), exchange] { self->on_asked(exchange); });
  else
    on_asked(exchange);  // there is no connection
}

void Replica::on_asked(const ExchangePtr& exchange) {
  const auto question = std::exchange(asked_, nullptr);
  if (!question) return;  // closed meanwhile
  if (answered_well(*exchange)) {
    const auto row = Results(exchange).one<MarkRow>();
    question->mark = Mark{row.position, {row.timeline, row.started}};
  }
  answer_all(*question);
  if (next_) ask();
}

void Replica::answer_all(Question& question) {
  question.over = true;
  for (auto& asker : question.askers) asio::post(context_, asker.take());
  question.askers.clear();
}

void Replica::shut() {
  replica_->shut();
  for (auto* question : {&asked_, &next_})
    if (const auto left = std::exchange(*question, nullptr)) answer_all(*left);
}

// ---- which connections may be trusted -------------------------------------------------------------------------------

Replica::Standing& Replica::standing(const Connection& connection) {
  auto& standing = standings_[&connection];
  if (standing.epoch != connection.epoch()) {
    const auto next_look = standing.refused ? standing.next_look : Clock::time_point{};
    standing = Standing{};
    standing.epoch = connection.epoch();
    standing.next_look = next_look;
  }
  return standing;
}

bool Replica::trusted(const Connection& connection, const Mark& mark) {
  auto& standing = this->standing(connection);
  if (standing.trusted_by == mark.of) return true;
  standing.trusted_by.reset();  // the primary is another one now: to be looked at again, if that was not just done
  return false;
}

// `answered`: there is a connection that may do.
Replica::Outcome Replica::prospect(Lane lane) {
  auto out = Outcome::away;
  const auto now = Clock::now();
  for (const auto& connection : replica_->connections(lane)) {
    if (!connection->ready()) continue;
    auto& standing = this->standing(*connection);
    const bool free = lane == Lane::read || (!connection->taken() && connection->load() == 0);
    if (!standing.looking && now >= standing.next_look && free) {
      standing.looking = true;
      if (lane == Lane::slow) connection->take();
      asio::co_spawn(context_, look(shared_from_this(), connection, connection->epoch(), lane), asio::detached);
    }
    if (!standing.trusted_by) continue;
    if (now >= standing.rests_until)
      out = Outcome::answered;
    else if (out == Outcome::away && !standing.up_to_date)
      out = Outcome::behind;
  }
  return out;
}

std::shared_ptr<Connection> Replica::pick(const Mark& mark) {
  std::shared_ptr<Connection> best;
  const auto now = Clock::now();
  for (const auto& connection : replica_->connections(Lane::read))
    if (connection->ready() && trusted(*connection, mark) && now >= standing(*connection).rests_until &&
        (!best || connection->load() < best->load()))
      best = connection;
  return best;
}

awaitable<void> Replica::look(std::shared_ptr<Replica> self, std::shared_ptr<Connection> connection, unsigned epoch,
                              Lane lane) {
  if (connection->epoch() != epoch || !connection->ready()) co_return;
  auto seen = self->replica_->prepare(Batch(replica_identity), Lane::read, Frame::bare);
  connection->send(seen);
  co_await self->within(seen, patience);
  std::optional<PrimaryRow> primary;
  if (answered_well(*seen)) {
    try {
      const auto frame = self->primary_->frame_of(Lane::read, 1);
      auto asked = self->primary_->prepare(Batch(primary_identity), Lane::read, frame);
      self->primary_->try_read(asked);
      const auto results = co_await Core::finish_read(self->primary_, std::move(asked));
      primary = results.one<PrimaryRow>();
    } catch (const std::exception&) {  // it is away, or just going
    }
  }
  if (connection->epoch() != epoch) co_return;
  if (lane == Lane::slow) connection->release(epoch);
  if (connection->epoch() != epoch) co_return;
  auto& standing = self->standing(*connection);
  standing.looking = false;
  standing.next_look = Clock::now() + look_again;
  if (!seen->finished()) standing.rests_until = Clock::now() + rest_when_silent;
  if (!primary) co_return;
  const auto replica = Results(std::move(seen)).one<ReplicaRow>();
  const char* const fault = replica.backend != connection->backend() ? "there is a pooler before it"
                            : !replica.position                      ? "it is not in recovery"
                            : replica.system != primary->system      ? "it is of another system"
                            : replica.database != primary->database  ? "it is of another database"
                            : replica.schema != primary->schema      ? "its role finds another schema"
                            : replica.timeline != primary->timeline  ? "it is not on the primary's timeline"
                            : !primary->durable ? "the primary tells of commits that it has not written"
                            : *replica.position > primary->position ? "it is ahead of the primary"
                                                                    : nullptr;
  if (fault) co_return self->refuse(*connection, fault);
  standing.refused = false;
  standing.trusted_by = Incarnation{primary->timeline, primary->started};
  self->refusal_.clear();
}

// To the next host, if there are several; this one may have become right when its turn comes again.
void Replica::refuse(Connection& connection, const char* why) {
  auto& standing = this->standing(connection);
  standing.trusted_by.reset();
  standing.refused = true;
  standing.next_look = Clock::now() + look_again_when_refused;
  refusal_ = std::string("a replica is not used: ") + why;
  connection.move_on();
}

// ---- waiting --------------------------------------------------------------------------------------------------------

// Until it is answered or lost, but not for long.
awaitable<void> Replica::within(ExchangePtr exchange, Clock::duration time) {
  if (exchange->finished()) co_return;
  Timer timer(context_);
  timer.expires_after(time);
  // The timer may have gone off, and its handler not have run, when the answer comes.
  const auto waits = std::make_shared<bool>(true);
  timer.async_wait([exchange, waits](error_code error) {
    if (!error && *waits && exchange->waiter) exchange->waiter.take()();
  });
  co_await answer(*exchange);
  *waits = false;
}

awaitable<void> Replica::pause(Clock::duration time) {
  Timer timer(context_);
  timer.expires_after(time);
  auto start = [&timer](auto handler) {
    const auto waiter = std::make_shared<Waiter>();  // for the trace
    waiter->set(std::move(handler));
    timer.async_wait([waiter](error_code error) {
      if (!error) waiter->take()();
    });
  };
  co_await asio::async_initiate<const asio::deferred_t, void()>(start, asio::deferred);
}

}  // namespace parley::pg
