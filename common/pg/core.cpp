#include "common/pg/core.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstring>
#include <limits>

#include "common/pg/frames.hpp"

namespace parley::pg {
namespace {

// Bound, in seconds, on an organization's charge beyond that of the organization served last. A charged organization
// waits about as long, so the bound must be below Settings::slow_wait.
constexpr double max_debt = 1;

using namespace std::chrono_literals;

// Three, not two: when all sessions are terminated one by one, the second connection may be lost right after the first.
constexpr int max_sends = 3;

// Leaves one connection to other organizations. The read lane counts batches instead, bounded by may_read().
std::shared_ptr<Shares> shares_of(Lane lane, std::size_t connections) {
  constexpr auto any = std::numeric_limits<std::size_t>::max();
  if (lane == Lane::read) return std::make_shared<Shares>(any, 1, 0);
  return std::make_shared<Shares>(connections, std::max<std::size_t>(connections, 2) - 1, 0);
}

}  // namespace

void throw_failure(const PipelinedBatch& exchange) {
  const auto& fault = exchange.fault;
  if (exchange.state == PipelinedBatch::State::answered) {
    if (!exchange.failed) return;
    if (exchange.stale_plan) throw Unavailable(fault.statement + ": the schema has just changed: " + fault.message);
    throw SqlError(fault.statement, fault.state, fault.message, fault.detail, fault.constraint);
  }
  if (commits(exchange.frame)) throw OutcomeUnknown("connection lost during COMMIT: " + fault.message);
  throw Unavailable("connection lost: " + fault.message);
}

Core::Core(asio::io_context& context, Settings settings, bool of_replicas)
    : context_(context), settings_(std::move(settings)), of_replicas_(of_replicas) {
  const int sizes[] = {settings_.read_connections, settings_.write_connections, settings_.slow_connections};
  for (Lane lane : {Lane::read, Lane::write, Lane::slow}) {
    const int size = sizes[static_cast<std::size_t>(lane)];
    groups_.push_back(std::make_unique<Group>(context_, lane, shares_of(lane, static_cast<std::size_t>(size))));
    for (int i = 0; i < size; ++i) group(lane).connections.push_back(make_connection(group(lane)));
  }
}

ConnectionSettings Core::connection_settings(Lane lane) const {
  ConnectionSettings out;
  out.url = settings_.url;
  out.lane = lane;
  out.to_replica = of_replicas_;
  out.prepared = settings_.prepared;
  out.pipelined = lane == Lane::read && settings_.prepared;
  out.connect_timeout = settings_.connect_timeout;
  const std::chrono::milliseconds deadlines[] = {settings_.read_deadline, settings_.write_deadline,
                                                 settings_.slow_deadline};
  out.deadline = deadlines[static_cast<std::size_t>(lane)];
  return out;
}

std::shared_ptr<Connection> Core::make_connection(Group& group) {
  Connection::Events events;
  events.may_connect = [this, &group] { return may_connect(group); };
  events.ready = [this, &group](Connection&) { on_ready(group); };
  events.lost = [this, &group](Connection&, const std::string& why) { on_lost(group, why); };
  events.refused = [this, &group](Connection&, const std::string& why) {
    given_back_.pulse();
    ++group.counts.connect_failures;
    group.counts.last_failure = why;
  };
  events.idle = [this, &group](Connection&) { on_given_back(group); };
  events.given_back = [this, &group] { on_given_back(group); };
  events.sent = [this, &group](const PipelinedBatch& exchange) { on_sent(group, exchange); };
  events.finished = [this, &group](const PipelinedBatch& exchange) { on_finished(group, exchange); };
  events.overdue = [&group] { ++group.counts.deadlines; };
  return std::make_shared<Connection>(context_, connection_settings(group.lane), std::move(events));
}

void Core::start() {
  started_ = true;
  for (auto& group : groups_) {
    group->down_since = Clock::now();
    for (auto& connection : group->connections) connection->start();
  }
}

void Core::shut() {
  closing_ = true;
  for (auto& group : groups_) {
    for (auto& connection : group->connections) connection->close();
    group->timer.cancel();
    while (auto waiter = group->waiters.next([](const auto&) { return true; }))
      grant(*group, std::move(*waiter), Lease());
  }
}

awaitable<void> Core::close() {
  const auto self = shared_from_this();
  closing_ = true;
  const auto deadline =
      Clock::now() + std::max({settings_.read_deadline, settings_.write_deadline, settings_.slow_deadline});
  auto busy = [&](const auto& connection) { return connection->load() > 0 || connection->taken(); };
  auto any_busy = [&] {
    return std::ranges::any_of(groups_,
                               [&](const auto& group) { return std::ranges::any_of(group->connections, busy); });
  };
  while (any_busy())
    if (!co_await given_back_.wait(deadline)) break;
  shut();
}

bool Core::available() const {
  auto ready = [](const auto& connection) { return connection->ready(); };
  return !closing_ && std::ranges::any_of(group(Lane::read).connections, ready) &&
         std::ranges::any_of(group(Lane::write).connections, ready);
}

LaneStats Core::stats(Lane lane) const {
  const Group& of = group(lane);
  LaneStats out = of.counts;
  out.configured = static_cast<int>(of.connections.size());
  for (const auto& connection : of.connections) {
    if (!connection->ready()) continue;
    ++out.connections;
    ++(connection->taken() || connection->load() > 0 ? out.active : out.idle);
    out.in_flight += connection->load();
  }
  out.waiters = of.waiters.size();
  out.organizations = of.waiters.lines();
  return out;
}

LaneStats& operator+=(LaneStats& stats, const LaneStats& lane) {
  stats.configured += lane.configured;
  stats.connections += lane.connections;
  stats.active += lane.active;
  stats.idle += lane.idle;
  stats.in_flight += lane.in_flight;
  stats.waiters += lane.waiters;
  stats.organizations += lane.organizations;
  stats.connects += lane.connects;
  stats.connect_failures += lane.connect_failures;
  stats.batches += lane.batches;
  stats.statements += lane.statements;
  stats.lost += lane.lost;
  stats.retried += lane.retried;
  stats.replanned += lane.replanned;
  stats.rejected += lane.rejected;
  stats.queue_full += lane.queue_full;
  stats.late += lane.late;
  stats.too_many += lane.too_many;
  stats.deadlines += lane.deadlines;
  stats.waits += lane.waits;
  stats.wait_seconds += lane.wait_seconds;
  stats.batch_seconds += lane.batch_seconds;
  for (const auto& [state, count] : lane.errors) stats.errors[state] += count;
  if (stats.last_failure.empty()) stats.last_failure = lane.last_failure;
  return stats;
}

Frame Core::frame_of(Lane lane, std::size_t statements) const {
  if (settings_.prepared) return Frame::bare;  // the session's default isolation applies
  if (lane == Lane::slow) return Frame::slow;
  return statements > 1 ? Frame::snapshot : Frame::bare;
}

namespace {

// The organization of the first statement that names one; settings may precede it.
model::Uuid organization_of(const PipelinedBatch& exchange) {
  model::Uuid out;
  const auto call =
      std::ranges::find_if(exchange.calls, [](const auto& each) { return each.statement->of_organization; });
  if (call == exchange.calls.end()) return out;
  const auto& parameter = exchange.parameters[call->first_parameter];
  if (parameter.length == static_cast<int>(out.bytes.size()))
    std::memcpy(out.bytes.data(), exchange.bytes.data() + parameter.offset, out.bytes.size());
  return out;
}

}  // namespace

PipelinedBatchPtr Core::prepare(Batch batch, Lane lane, Frame frame) const {
  if (batch.empty() && !commits(frame)) throw MappingError("an empty batch");
  auto exchange = std::move(batch).release();
  for (const auto& call : exchange->calls) {
    if (call.statement->lane != lane && call.statement->lane != Lane::read)
      throw MappingError(call.statement->name + " is for the " + std::string(name_of(call.statement->lane)) +
                         " lane, not the " + std::string(name_of(lane)) + " lane");
    exchange->publishes |= call.statement->publishes;
  }
  exchange->organization = organization_of(*exchange);
  exchange->lane = lane;
  exchange->frame = frame;
  exchange->trace = model::current_trace;
  return exchange;
}

void Core::try_read(const PipelinedBatchPtr& exchange) {
  Group& lane = group(Lane::read);
  if (closing_ || !may_read(exchange->organization)) return;
  if (auto connection = with_room(lane)) {
    waited(lane, 0);
    connection->send(exchange);
  }
}

// A batch long in flight may itself have broken the connection, and its caller has waited enough. A batch that waited
// behind another one is retried if the server answers on another connection.
bool Core::worth_a_retry(const PipelinedBatch& exchange) const {
  if (exchange.stale_plan) return true;
  const auto recently = Clock::now() - settings_.outage_grace;
  const bool may_do =
      exchange.sent_at > recently || (exchange.untouched && group(exchange.lane).answered_at > recently);
  return exchange.state == PipelinedBatch::State::lost && may_do;
}

awaitable<Results> Core::finish_read(std::shared_ptr<Core> core, PipelinedBatchPtr exchange) {
  Group& lane = core->group(Lane::read);
  for (int sends = 1;; ++sends) {
    if (exchange->state == PipelinedBatch::State::fresh) {
      core->try_read(exchange);
      if (exchange->state == PipelinedBatch::State::fresh) {
        if (core->closing_) core->refuse(lane, "the pool is closing");
        co_await core->wait_for_turn(exchange);
        if (exchange->state == PipelinedBatch::State::fresh) core->refuse_read(lane);
      }
    }
    if (!exchange->finished()) co_await answer(*exchange);
    if (exchange->state == PipelinedBatch::State::answered && !exchange->failed) co_return Results(std::move(exchange));
    if (sends == max_sends || !core->worth_a_retry(*exchange)) break;
    core->count_retry(lane, *exchange);
    exchange->unprepared = exchange->stale_plan;
    exchange->rewind();
  }
  throw_failure(*exchange);
  co_return Results(std::move(exchange));
}

awaitable<void> Core::wait_for_turn(PipelinedBatchPtr exchange) {
  Group& lane = group(Lane::read);
  const auto organization = exchange->organization;
  const auto longest = std::max(settings_.read_wait, settings_.read_deadline);
  const auto timeout = may_read(organization) ? settings_.read_wait : longest;
  if (!may_wait(lane, organization)) co_return;
  co_await wait_for_connection(lane, organization, Clock::now() + timeout, std::move(exchange));
}

awaitable<Results> Core::run_alone(std::shared_ptr<Core> core, PipelinedBatchPtr exchange) {
  for (int sends = 1;; ++sends) {
    auto lease = co_await checkout(core, exchange->lane, exchange->organization);
    lease.connection().send(exchange);
    if (!exchange->finished()) co_await answer(*exchange);
    lease.give_back();
    if (exchange->state == PipelinedBatch::State::answered && !exchange->failed) co_return Results(std::move(exchange));
    // A transaction is retried only when it surely did not commit.
    const bool harmless = exchange->stale_plan || !commits(exchange->frame);
    if (sends == max_sends || !harmless || !core->worth_a_retry(*exchange)) break;
    core->count_retry(core->group(exchange->lane), *exchange);
    exchange->unprepared = exchange->stale_plan;
    exchange->rewind();
  }
  throw_failure(*exchange);
  co_return Results(std::move(exchange));
}

// Lets no lane open a second connection before each lane has its first, so that a server near its connection limit
// serves all lanes: until then each lane has one attempt under way. on_ready() then hurries the postponed connections.
bool Core::may_connect(const Group& group) const {
  auto ready = [](const auto& connection) { return connection->ready(); };
  auto connecting = [](const auto& connection) { return connection->connecting(); };
  auto served = [&](const auto& each) {
    return each->connections.empty() || std::ranges::any_of(each->connections, ready);
  };
  if (std::ranges::all_of(groups_, served)) return true;
  return std::ranges::none_of(group.connections, ready) && std::ranges::none_of(group.connections, connecting);
}

void Core::on_ready(Group& group) {
  ++group.counts.connects;
  group.down_since.reset();
  for (auto& other : groups_)
    for (auto& each : other->connections) each->hurry();
  serve(group);
}

void Core::on_given_back(Group& group) {
  given_back_.pulse();
  serve(group);
}

void Core::on_lost(Group& group, const std::string& why) {
  given_back_.pulse();
  group.counts.last_failure = why;
  auto ready = [](const auto& connection) { return connection->ready(); };
  if (!group.down_since && std::ranges::none_of(group.connections, ready)) group.down_since = Clock::now();
}

void Core::on_sent(Group& group, const PipelinedBatch& exchange) {
  if (group.lane == Lane::read) group.shares->take(exchange.organization);
}

void Core::on_finished(Group& group, const PipelinedBatch& exchange) {
  const auto now = Clock::now();
  const double duration = seconds(now - exchange.sent_at);
  auto& counts = group.counts;
  ++counts.batches;
  counts.statements += exchange.calls.size();
  counts.batch_seconds += duration;
  // Batches of the other lanes cost about the same, so only the slow lane charges them.
  if (group.lane == Lane::slow && exchange.state == PipelinedBatch::State::answered)
    group.waiters.charge(exchange.organization, duration, max_debt);
  std::string_view state;
  if (exchange.state == PipelinedBatch::State::answered) group.answered_at = now;
  if (exchange.state == PipelinedBatch::State::lost) {
    ++counts.lost;
    ++counts.errors["08"];
    state = "08006";
  } else if (exchange.failed) {
    ++counts.errors[exchange.fault.state.substr(0, 2)];
    state = exchange.fault.state;
    // 25006 (read-only): the server is no longer the primary. Retire all connections rather than let each find out.
    if (group.lane == Lane::write && state == "25006")
      for (auto& each : groups_)
        for (auto& connection : each->connections) connection->retire();
  }
  if (group.lane == Lane::read && exchange.frame != Frame::rollback) {  // the connection's own rollback holds no share
    group.shares->give_back(exchange.organization);
    serve(group);
  }
  if (exchange.publishes && commits(exchange.frame) && !exchange.failed && on_publish_) on_publish_();
  if (!observer_) return;
  const Statement* first = exchange.calls.empty() ? nullptr : exchange.calls.front().statement;
  observer_({group.lane, first, exchange.calls.size(), duration, state, exchange.sent_at, exchange.trace});
}

}  // namespace parley::pg
