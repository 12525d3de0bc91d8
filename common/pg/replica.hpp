#pragma once
// Reads on streaming replicas that see everything committed before the read began. Internal to common/pg.

#include <boost/asio/awaitable.hpp>
#include <memory>

#include "common/pg/core.hpp"
#include "common/pg/log_position.hpp"
#include "common/pg/replica_health.hpp"

namespace parley::pg {

// Asks the primary for its flushed log position (log_position.hpp), then a trusted replica (replica_health.hpp) for its
// replay position. If the replica has reached the primary's position, its next snapshot shows every commit confirmed to
// any client. If not, one is asked once more a little later; then the primary reads. A read never waits for what the
// primary could answer.
// Limits: with synchronous replication a replica shows a commit before its client, or anyone on the primary, sees it;
// with two servers that both accept writes, no reader can tell which one will prevail.
class Replica : public std::enable_shared_from_this<Replica> {
 public:
  Replica(asio::io_context& context, std::shared_ptr<Core> primary, const Settings& settings);

  void start() { replica_->start(); }
  void shut();
  awaitable<void> close();

  // Takes an exchange that Core::prepare made for the primary's read or slow lane.
  static awaitable<Results> read(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange);

  const ReplicaReads& reads() const { return reads_; }
  LaneStats stats() const;
  void observe(Observer observer);
  void observe_waits(WaitObserver observer);

 private:
  // A query for the replay position of a connection's server, in flight.
  struct Question {
    PipelinedBatchPtr exchange;
    std::shared_ptr<Connection> connection;
    unsigned epoch;
    bool holds() const { return connection->ready() && connection->epoch() == epoch; }
  };

  // These return the replica's results, or nullptr when the primary must answer.
  static awaitable<PipelinedBatchPtr> answer_by_replica(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange);
  static awaitable<PipelinedBatchPtr> try_read(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange, Mark mark);
  static awaitable<PipelinedBatchPtr> try_slow(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange, Mark mark);
  static awaitable<void> finish_slow(std::shared_ptr<Replica> self, PipelinedBatchPtr copy);
  PipelinedBatchPtr leave_to_primary(Prospect why);

  static awaitable<Lease> lease(std::shared_ptr<Replica> self, model::Uuid organization, Mark mark);
  Question ask_position(std::shared_ptr<Connection> connection) const;
  static awaitable<Prospect> hear(std::shared_ptr<Replica> self, Question question, Mark mark, bool second);
  PipelinedBatchPtr send_copy(const PipelinedBatch& exchange, Connection& connection) const;

  std::shared_ptr<Core> primary_;
  std::shared_ptr<Core> replica_;
  std::shared_ptr<LogPosition> position_;
  std::shared_ptr<ReplicaHealth> trust_;
  ReplicaReads reads_;
};

}  // namespace parley::pg
