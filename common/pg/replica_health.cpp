#include "common/pg/replica_health.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "common/pg/waits.hpp"

namespace parley::pg {
namespace {

using namespace std::chrono_literals;

// A replica this many bytes behind, or hanging, stays so for a while: it is not asked during its rest.
constexpr std::int64_t far_behind = 1 << 20;
constexpr auto rest_when_behind = 100ms;
constexpr auto rest_when_silent = 1'000ms;
constexpr auto look_again = 1'000ms;
constexpr auto look_again_when_refused = 5'000ms;
constexpr auto trust_lasts = 3'000ms;
// Batches in flight per connection: those sent to a slow replica stay there when their readers turn to the primary.
constexpr std::size_t max_ahead = 128;

const Statement primary_identity(
    "pg.primary_identity",
    "SELECT (SELECT system_identifier FROM pg_control_system()) AS system, "
    "(SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database, "
    "coalesce(current_schema(), '')::text AS schema, (pg_current_wal_flush_lsn() - '0/0')::int8 AS position, "
    "left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline, pg_postmaster_start_time() AS started, "
    "current_setting('synchronous_commit') <> 'off' AS durable",
    Lane::read, {}, Statement::Kind::unprepared);

// `timeline` is the newest of: the last restart point's, the last written page's, and the received log's (visible to
// members of pg_read_all_stats). The first two lag behind a timeline switch, which only costs reads on the replica.
const Statement replica_identity(
    "pg.replica_identity",
    "SELECT (SELECT system_identifier FROM pg_control_system()) AS system, "
    "(SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database, "
    "coalesce(current_schema(), '')::text AS schema, pg_backend_pid()::int8 AS backend, "
    "CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::int8 END AS position, "
    "upper(lpad(to_hex(greatest((SELECT timeline_id FROM pg_control_checkpoint()), "
    "(SELECT min_recovery_end_timeline FROM pg_control_recovery()), "
    "(SELECT received_tli FROM pg_stat_wal_receiver))), 8, '0')) AS timeline",
    Lane::read, {}, Statement::Kind::unprepared);

}  // namespace

const char* fault_of(const ReplicaRow& replica, const PrimaryRow& primary, int backend) {
  if (replica.backend != backend) return "there is a pooler before it";
  if (!replica.position) return "it is not in recovery";
  if (replica.system != primary.system) return "it is of another system";
  if (replica.database != primary.database) return "it is of another database";
  if (replica.schema != primary.schema) return "its role finds another schema";
  if (replica.timeline != primary.timeline) return "it is not on the primary's timeline";
  if (!primary.durable) return "the primary tells of commits that it has not written";
  if (*replica.position > primary.position) return "it is ahead of the primary";
  return nullptr;
}

ReplicaHealth::ReplicaHealth(std::shared_ptr<Core> primary, std::shared_ptr<Core> replica)
    : primary_(std::move(primary)), replica_(std::move(replica)), timer_(replica_->context()) {}

void ReplicaHealth::shut() {
  shut_ = true;
  timer_.cancel();
}

// A reconnect voids what is known of a connection, except a refusal: the new connection may lead to the same server.
ReplicaHealth::Standing& ReplicaHealth::standing(const Connection& connection) {
  auto& standing = standings_[&connection];
  if (standing.epoch != connection.epoch()) {
    const Standing before = std::exchange(standing, Standing());
    standing.epoch = connection.epoch();
    standing.refused = before.refused;
    if (before.refused) standing.next_look = before.next_look;
  }
  return standing;
}

bool ReplicaHealth::trusted(const Standing& standing) {
  return standing.trusted_by && Clock::now() - standing.looked_at < trust_lasts;
}

bool ReplicaHealth::due(const Connection& connection) {
  const auto& standing = this->standing(connection);
  const auto now = Clock::now();
  return !standing.looking && now >= standing.next_look && now >= standing.rests_until;
}

bool ReplicaHealth::usable(const Connection& connection, const Mark& mark) {
  if (!connection.ready() || connection.load() >= max_ahead) return false;
  auto& standing = this->standing(connection);
  if (standing.trusted_by != mark.of) standing.trusted_by.reset();  // the primary has changed
  return trusted(standing) && Clock::now() >= standing.rests_until;
}

Prospect ReplicaHealth::prospect(Lane lane) {
  if (lane == Lane::read) look_where_due();
  auto out = Prospect::none;
  for (const auto& connection : replica_->connections(lane)) {
    if (!connection->ready()) continue;
    const auto& standing = this->standing(*connection);
    const bool rests = Clock::now() < standing.rests_until;
    const bool may_do = trusted(standing) || (lane == Lane::slow && due(*connection));
    if (may_do && !rests && connection->load() < max_ahead) return Prospect::likely;
    if (may_do && rests && standing.told == Told::behind) out = Prospect::behind;
  }
  return out;
}

// Prefers a connection that was up to date when last asked, then a low load.
template <class Suits>
std::shared_ptr<Connection> ReplicaHealth::best(Lane lane, Suits suits) {
  std::shared_ptr<Connection> best;
  auto rank = [&](const auto& connection) { return std::pair(!up_to_date(*connection), connection->load()); };
  for (const auto& connection : replica_->connections(lane))
    if (suits(*connection) && (!best || rank(connection) < rank(best))) best = connection;
  return best;
}

std::shared_ptr<Connection> ReplicaHealth::pick(const Mark& mark) {
  return best(Lane::read, [&](const Connection& connection) { return usable(connection, mark); });
}

std::shared_ptr<Connection> ReplicaHealth::pick_idle(const Mark& mark) {
  return best(Lane::slow, [&](const Connection& connection) {
    return connection.idle() && (due(connection) || usable(connection, mark));
  });
}

void ReplicaHealth::look_where_due() {
  for (const auto& connection : replica_->connections(Lane::read))
    if (connection->ready() && due(*connection))
      asio::co_spawn(replica_->context(), look(shared_from_this(), connection), asio::detached);
}

// Repeats looks while nobody reads; otherwise the next read would rely on an old look or go to the primary.
void ReplicaHealth::keep_looking() {
  if (shut_ || std::exchange(keeps_looking_, true)) return;
  timer_.expires_after(look_again);
  timer_.async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (error || !self) return;
    self->keeps_looking_ = false;
    self->look_where_due();
    self->keep_looking();
  });
}

awaitable<void> ReplicaHealth::look(std::shared_ptr<ReplicaHealth> self, std::shared_ptr<Connection> connection) {
  if (!connection->ready()) co_return;
  const auto epoch = connection->epoch();
  const auto began = Clock::now();
  auto& before = self->standing(*connection);
  before.looking = true;
  before.next_look = began + look_again;
  auto seen = self->replica_->prepare(Batch(replica_identity), Lane::read, Frame::bare);
  connection->send(seen);
  co_await within(self->replica_->context(), seen, timeout);
  PipelinedBatchPtr asked;
  if (answered_well(*seen)) asked = co_await ask(self->primary_, primary_identity);
  if (connection->epoch() != epoch) co_return;
  self->standing(*connection).looking = false;
  if (!seen->finished()) self->silent(*connection);
  if (!asked || !answered_well(*asked)) co_return;  // primary or replica is unavailable
  const auto replica = Results(std::move(seen)).one<ReplicaRow>();
  const auto primary = Results(std::move(asked)).one<PrimaryRow>();
  if (const char* const fault = fault_of(replica, primary, connection->backend()))
    self->refuse(*connection, fault);
  else
    self->accept(*connection, {primary.timeline, primary.started}, began);
}

void ReplicaHealth::accept(const Connection& connection, Incarnation primary, Clock::time_point looked_at) {
  auto& standing = this->standing(connection);
  standing.trusted_by = std::move(primary);
  standing.looked_at = looked_at;
  standing.refused = false;
  standing.told = Told::current;  // it may have caught up; otherwise it would stay ranked last
  if (std::ranges::none_of(standings_, [](const auto& each) { return each.second.refused; })) refusal_.clear();
  keep_looking();
}

// Reconnects to the next host, if there are several; this host is tried again in its turn.
void ReplicaHealth::refuse(Connection& connection, const char* why) {
  auto& standing = this->standing(connection);
  standing.trusted_by.reset();
  standing.refused = true;
  standing.next_look = Clock::now() + look_again_when_refused;
  refusal_ = std::string("a replica is not used: ") + why;
  connection.move_on();
}

Prospect ReplicaHealth::told(Connection& connection, std::optional<std::int64_t> position, const Mark& mark,
                             bool second) {
  if (!position) {
    refuse(connection, "it is no replica any more");
    return Prospect::none;
  }
  auto& standing = this->standing(connection);
  standing.told = *position >= mark.position ? Told::current : Told::behind;
  if (standing.told == Told::current) return Prospect::likely;
  if (second && mark.position - *position > far_behind) standing.rests_until = Clock::now() + rest_when_behind;
  return Prospect::behind;
}

void ReplicaHealth::silent(const Connection& connection) {
  auto& standing = this->standing(connection);
  standing.told = Told::nothing;
  standing.rests_until = Clock::now() + rest_when_silent;
}

}  // namespace parley::pg
