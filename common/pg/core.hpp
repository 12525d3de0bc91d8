#pragma once
// The lanes, their connections and waiters; shared by Pool, Pending and Transaction. Internal to common/pg.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/async/event.hpp"
#include "common/async/shares.hpp"
#include "common/async/turns.hpp"
#include "common/pg/connection.hpp"
#include "common/pg/pool.hpp"

namespace parley::pg {

inline double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

// Connections that each organization holds in a lane; on the read lane, batches in flight.
using Shares = async::Shares<model::Uuid>;

// Exclusive use of a connection of the write or slow lane; the destructor gives it back.
class Lease {
 public:
  Lease() = default;
  Lease(std::shared_ptr<Connection> connection, std::shared_ptr<Shares> shares, const model::Uuid& organization)
      : connection_(std::move(connection)),
        epoch_(connection_->epoch()),
        shares_(std::move(shares)),
        organization_(organization) {
    shares_->take(organization_);
  }
  Lease(Lease&& other) noexcept
      : connection_(std::move(other.connection_)),
        epoch_(other.epoch_),
        shares_(std::move(other.shares_)),
        organization_(other.organization_) {}
  Lease& operator=(Lease&& other) noexcept {
    give_back();
    connection_ = std::move(other.connection_);
    epoch_ = other.epoch_;
    shares_ = std::move(other.shares_);
    organization_ = other.organization_;
    return *this;
  }
  ~Lease() { give_back(); }

  void give_back() {
    if (const auto shares = std::move(shares_)) shares->give_back(organization_);
    if (auto connection = std::move(connection_)) connection->release(epoch_);
  }
  explicit operator bool() const { return connection_ != nullptr; }
  bool holds() const { return connection_ && connection_->epoch() == epoch_; }
  Connection& connection() const { return *connection_; }

 private:
  std::shared_ptr<Connection> connection_;
  unsigned epoch_ = 0;
  std::shared_ptr<Shares> shares_;
  model::Uuid organization_;
};

class Core : public std::enable_shared_from_this<Core> {
 public:
  // With `of_replicas`, Settings::url names the replicas.
  Core(asio::io_context& context, Settings settings, bool of_replicas = false);
  ~Core() { shut(); }

  void start();
  awaitable<void> close();
  void shut();
  bool available() const;
  LaneStats stats(Lane lane) const;
  void observe(Observer observer) { observer_ = std::move(observer); }
  void observe_waits(WaitObserver observer) { wait_observer_ = std::move(observer); }
  void on_publish(std::function<void()> published) { on_publish_ = std::move(published); }
  asio::io_context& context() { return context_; }

  const std::vector<std::shared_ptr<Connection>>& connections(Lane lane) const { return group(lane).connections; }

  // Checks the statements' lanes; fills in frame, organization and trace. Throws MappingError.
  PipelinedBatchPtr prepare(Batch batch, Lane lane, Frame frame) const;
  Frame frame_of(Lane lane, std::size_t statements) const;

  // Sends if there is room; otherwise the exchange stays State::fresh.
  void try_read(const PipelinedBatchPtr& exchange);
  static awaitable<Results> finish_read(std::shared_ptr<Core> core, PipelinedBatchPtr exchange);
  static awaitable<Results> run_alone(std::shared_ptr<Core> core, PipelinedBatchPtr exchange);
  // Leases `connection`, which must be idle, for an organization that may_take() allows.
  Lease take(Lane lane, const model::Uuid& organization, std::shared_ptr<Connection> connection) const;
  bool may_take(Lane lane, const model::Uuid& organization) const { return group(lane).shares->may_take(organization); }
  bool may_read(const model::Uuid& organization) const;
  // Waits for an idle connection. Throws Unavailable.
  static awaitable<Lease> checkout(std::shared_ptr<Core> core, Lane lane, model::Uuid organization);

 private:
  struct Claim {
    async::Waiter<Lease> waiter;
    model::Uuid organization;
    Clock::time_point since, deadline;
    PipelinedBatchPtr exchange;  // of a read: sent when its turn comes
  };
  struct Group {
    Group(asio::io_context& context, Lane lane, std::shared_ptr<Shares> shares)
        : lane(lane), shares(std::move(shares)), timer(context) {}
    const Lane lane;
    std::vector<std::shared_ptr<Connection>> connections;
    const std::shared_ptr<Shares> shares;
    async::Turns<model::Uuid, Claim> waiters;
    Timer timer;  // expires at the earliest deadline of the waiters
    std::optional<Clock::time_point> armed;
    std::optional<Clock::time_point> down_since;
    Clock::time_point answered_at{};  // when the lane last had a result
    LaneStats counts;
  };

  Group& group(Lane lane) { return *groups_[static_cast<std::size_t>(lane)]; }
  const Group& group(Lane lane) const { return *groups_[static_cast<std::size_t>(lane)]; }
  std::shared_ptr<Connection> make_connection(Group& group);
  ConnectionSettings connection_settings(Lane lane) const;

  std::shared_ptr<Connection> least_loaded(const Group& group) const;
  static std::shared_ptr<Connection> first_idle(const Group& group);
  std::shared_ptr<Connection> with_room(const Group& group) const;
  bool may_wait(Group& group, const model::Uuid& organization);
  awaitable<Lease> wait_for_connection(Group& group, model::Uuid organization, Clock::time_point deadline,
                                       PipelinedBatchPtr exchange = {});
  awaitable<void> wait_for_turn(PipelinedBatchPtr exchange);
  void serve(Group& group);
  void serve_reads(Group& group);
  void grant(Group& group, Claim claim, Lease lease);
  void arm(Group& group);
  void expire(Group& group);
  std::string why_unavailable(const Group& group, const char* what) const;
  [[noreturn]] void refuse(Group& group, const char* what);
  [[noreturn]] void refuse_read(Group& group);
  void waited(const Group& group, double seconds) const;
  void count_retry(Group& group, const PipelinedBatch& exchange) const;
  bool worth_a_retry(const PipelinedBatch& exchange) const;

  bool may_connect(const Group& group) const;
  void on_ready(Group& group);
  void on_given_back(Group& group);
  void on_lost(Group& group, const std::string& why);
  void on_sent(Group& group, const PipelinedBatch& exchange);
  void on_finished(Group& group, const PipelinedBatch& exchange);

  asio::io_context& context_;
  const Settings settings_;
  const bool of_replicas_;
  std::vector<std::unique_ptr<Group>> groups_;
  Observer observer_;
  WaitObserver wait_observer_;
  std::function<void()> on_publish_;
  bool started_ = false;
  bool closing_ = false;
  async::Event given_back_;  // pulsed when a connection becomes idle, is lost or cannot connect
};

// Awaitable for an unfinished exchange: resumes when it is answered or lost.
inline auto answer(PipelinedBatch& exchange) {
  return async::sleep_until_called([&exchange](async::Waiter<> waiter) { exchange.waiter = std::move(waiter); });
}
LaneStats& operator+=(LaneStats& stats, const LaneStats& lane);
void throw_failure(const PipelinedBatch& exchange);

}  // namespace parley::pg
