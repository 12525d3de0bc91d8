#include <algorithm>
#include <boost/asio/post.hpp>

#include "common/pg/core.hpp"

namespace parley::pg {
namespace {

// Reads in flight per organization and connection: keeps connections busy and the waits of others short.
constexpr std::size_t max_reads_ahead = 4;

}  // namespace

std::shared_ptr<Connection> Core::least_loaded(const Group& group) const {
  const std::shared_ptr<Connection>* best = nullptr;
  for (const auto& connection : group.connections)
    if (connection->ready() && (!best || connection->load() < (*best)->load())) best = &connection;
  return best ? *best : nullptr;
}

std::shared_ptr<Connection> Core::with_room(const Group& group) const {
  auto connection = least_loaded(group);
  if (connection && connection->load() >= settings_.max_reads_a_connection) return nullptr;
  return connection;
}

bool Core::may_read(const model::Uuid& organization) const {
  const Group& lane = group(Lane::read);
  return organization.is_nil() || lane.shares->of(organization) < max_reads_ahead * lane.connections.size();
}

std::shared_ptr<Connection> Core::first_idle(const Group& group) {
  const auto found = std::ranges::find_if(group.connections, [](const auto& each) { return each->idle(); });
  return found == group.connections.end() ? nullptr : *found;
}

Lease Core::take(Lane lane, const model::Uuid& organization, std::shared_ptr<Connection> connection) const {
  waited(group(lane), 0);
  connection->take();
  return Lease(std::move(connection), group(lane).shares, organization);
}

// Takes an idle connection past the waiters: those who wait while one is idle have exhausted their share.
awaitable<Lease> Core::checkout(std::shared_ptr<Core> core, Lane lane, model::Uuid organization) {
  Group& from = core->group(lane);
  if (core->closing_) core->refuse(from, "the pool is closing");
  if (core->may_take(lane, organization))
    if (auto connection = first_idle(from)) co_return core->take(lane, organization, std::move(connection));
  const auto timeout = lane == Lane::slow ? core->settings_.slow_wait : core->settings_.write_wait;
  const auto deadline = Clock::now() + timeout;
  for (;;) {
    if (!core->may_wait(from, organization)) {
      ++from.counts.queue_full;
      core->refuse(from, "too many wait for a connection");
    }
    auto lease = co_await core->wait_for_connection(from, organization, deadline);
    if (!lease) {
      if (!from.down_since) ++(Clock::now() < deadline ? from.counts.queue_full : from.counts.late);
      core->refuse(from, "no connection became free in time");
    }
    if (lease.holds()) co_return lease;  // otherwise it was lost meanwhile: wait again
  }
}

// If the queue is full, this may drop another organization's last waiter.
bool Core::may_wait(Group& group, const model::Uuid& organization) {
  const auto most = group.lane == Lane::read ? settings_.max_reads_waiting : settings_.max_waiters;
  if (group.waiters.size() < most) return true;
  auto last = group.waiters.give_way(organization);
  if (last) grant(group, std::move(*last), Lease());
  return last.has_value();
}

// Returns an empty lease when no connection became free in time, or the waiter was dropped for another.
awaitable<Lease> Core::wait_for_connection(Group& group, model::Uuid organization, Clock::time_point deadline,
                                           PipelinedBatchPtr exchange) {
  const auto now = Clock::now();
  if (group.down_since) deadline = std::min(deadline, *group.down_since + settings_.outage_grace);
  if (closing_ || deadline <= now) co_return Lease();
  auto lease = co_await async::sleep_until_called<Lease>([&, this](async::Waiter<Lease> waiter) {
    group.waiters.push(organization, {std::move(waiter), organization, now, deadline, exchange});
    arm(group);
  });
  co_return lease;
}

void Core::serve(Group& group) {
  if (group.lane == Lane::read) return serve_reads(group);
  const auto may = [&](const model::Uuid& organization) { return group.shares->may_take(organization); };
  while (!group.waiters.empty()) {
    auto connection = first_idle(group);
    auto claim = connection ? group.waiters.next(may) : std::nullopt;
    if (!claim) return;
    connection->take();
    const auto organization = claim->organization;
    grant(group, std::move(*claim), Lease(std::move(connection), group.shares, organization));
  }
}

void Core::serve_reads(Group& group) {
  const auto may = [&](const model::Uuid& organization) { return may_read(organization); };
  while (!group.waiters.empty()) {
    const auto connection = with_room(group);
    auto claim = connection ? group.waiters.next(may) : std::nullopt;
    if (!claim) return;
    connection->send(std::move(claim->exchange));
    grant(group, std::move(*claim), Lease());
  }
}

void Core::grant(Group& group, Claim claim, Lease lease) {
  const double time = seconds(Clock::now() - claim.since);
  ++group.counts.waits;
  group.counts.wait_seconds += time;
  waited(group, time);
  // Posted, because the lease may be given back by a coroutine that is ending.
  asio::post(context_,
             [waiter = std::move(claim.waiter), lease = std::move(lease)]() mutable { waiter(std::move(lease)); });
}

void Core::arm(Group& group) {
  if (group.waiters.empty()) return;
  auto earliest = Clock::time_point::max();
  group.waiters.for_each([&](const Claim& each) { earliest = std::min(earliest, each.deadline); });
  if (group.armed && *group.armed <= earliest) return;
  group.armed = earliest;
  group.timer.expires_at(earliest);
  group.timer.async_wait([weak = weak_from_this(), &group](error_code error) {
    if (error) return;
    const auto self = weak.lock();
    if (!self) return;
    group.armed.reset();
    self->expire(group);
  });
}

void Core::expire(Group& group) {
  const auto now = Clock::now();
  const auto is_late = [now](const Claim& each) { return each.deadline <= now; };
  while (auto waiter = group.waiters.take_first(is_late)) grant(group, std::move(*waiter), Lease());
  arm(group);
}

std::string Core::why_unavailable(const Group& group, const char* what) const {
  std::string out = "PostgreSQL, " + std::string(name_of(group.lane)) + " lane: " + what;
  if (group.down_since && !group.counts.last_failure.empty()) out += " (" + group.counts.last_failure + ")";
  return out;
}

void Core::refuse(Group& group, const char* what) {
  ++group.counts.rejected;
  throw Unavailable(why_unavailable(group, what));
}

void Core::refuse_read(Group& group) {
  if (group.down_since) refuse(group, "no connection");
  ++group.counts.too_many;
  refuse(group, "too many reads under way");
}

void Core::waited(const Group& group, double seconds) const {
  if (wait_observer_) wait_observer_(group.lane, seconds);
}

void Core::count_retry(Group& group, const PipelinedBatch& exchange) const {
  ++(exchange.stale_plan ? group.counts.replanned : group.counts.retried);
}

}  // namespace parley::pg
