#pragma once
// The lanes and who waits for them; what Pool, Pending and Transaction share. Internal to common/pg.

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

// How many connections of a lane each organization has; of the read lane, how many batches under way.
using Shares = async::Shares<model::Uuid>;

// A connection of the write or slow lane for one user alone. Given back when it ends.
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
  // False when the connection was lost since.
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
  // Of replicas: Settings::url is theirs.
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

  // Checks the lanes of a batch's statements, and says how it goes.
  PipelinedBatchPtr prepare(Batch batch, Lane lane, Frame frame) const;
  Frame frame_of(Lane lane, std::size_t statements) const;

  // Sends if it can; if not, the exchange stays fresh.
  void try_read(const PipelinedBatchPtr& exchange);
  static awaitable<Results> finish_read(std::shared_ptr<Core> core, PipelinedBatchPtr exchange);
  static awaitable<Results> run_alone(std::shared_ptr<Core> core, PipelinedBatchPtr exchange);
  // One that is idle, where the organization may have another one.
  Lease take(Lane lane, const model::Uuid& organization, std::shared_ptr<Connection> connection) const;
  bool may_take(Lane lane, const model::Uuid& organization) const { return group(lane).shares->may_take(organization); }
  // Whether another batch of the organization may be under way on the read lane.
  bool may_read(const model::Uuid& organization) const;
  // Throws Unavailable.
  static awaitable<Lease> checkout(std::shared_ptr<Core> core, Lane lane, model::Uuid organization);

 private:
  // One lane.
  struct Claim {
    async::Waiter<Lease> waiter;
    model::Uuid organization;
    Clock::time_point since, deadline;
    PipelinedBatchPtr exchange;  // of a read: sent when its turn has come
  };
  struct Group {
    Group(asio::io_context& context, Lane lane, std::shared_ptr<Shares> shares)
        : lane(lane), shares(std::move(shares)), timer(context) {}
    const Lane lane;
    std::vector<std::shared_ptr<Connection>> connections;
    const std::shared_ptr<Shares> shares;
    async::Turns<model::Uuid, Claim> waiters;
    Timer timer;  // at the earliest deadline of the waiters
    std::optional<Clock::time_point> armed;
    std::optional<Clock::time_point> down_since;
    Clock::time_point answered_at{};  // a batch, last
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
  async::Event given_back_;  // pulsed when a connection becomes idle or is lost
};

// To be awaited while the exchange is not finished: until it is answered or lost.
inline auto answer(PipelinedBatch& exchange) {
  return async::sleep_until_called([&exchange](async::Waiter<> waiter) { exchange.waiter = std::move(waiter); });
}
// Of another lane, added to these.
LaneStats& operator+=(LaneStats& stats, const LaneStats& lane);
// The failure of a finished exchange, as an exception; returns if there is none.
void throw_failure(const PipelinedBatch& exchange);

}  // namespace parley::pg
