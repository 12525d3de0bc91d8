#pragma once
// Reads on streaming replicas that see all that was committed before they began. Internal to common/pg.
//
// The primary is asked how far its log is flushed (log_position.hpp), which covers every commit that anybody has been
// told of, by whichever process it was made. A replica that has replayed that much shows all of them to a snapshot
// taken after it said so, if it is one of that primary (trust.hpp). If it has not, it or another one is asked once more
// a little later; then the primary reads. Nothing is remembered anywhere but here, and nothing is waited for that the
// primary could answer.
//
// What this cannot see: with synchronous replication a commit is on the replica before its client, or anyone on the
// primary, sees it; and of two servers that both take writes, no reader can tell which one will have been right.

#include <boost/asio/awaitable.hpp>
#include <memory>

#include "common/pg/core.hpp"
#include "common/pg/log_position.hpp"
#include "common/pg/replica_health.hpp"

namespace parley::pg {

class Replica : public std::enable_shared_from_this<Replica> {
 public:
  // `primary` is the pool's own, of the same settings.
  Replica(asio::io_context& context, std::shared_ptr<Core> primary, const Settings& settings);

  void start() { replica_->start(); }
  void shut();
  awaitable<void> close();

  // Statements as Core::prepare took them for the primary's read or slow lane.
  static awaitable<Results> read(std::shared_ptr<Replica> self, PipelinedBatchPtr exchange);

  const ReplicaReads& reads() const { return reads_; }
  LaneStats stats() const;
  void observe(Observer observer);
  void observe_waits(WaitObserver observer);

 private:
  // The question how far a connection's server is, under way.
  struct Question {
    PipelinedBatchPtr exchange;
    std::shared_ptr<Connection> connection;
    unsigned epoch;
    bool holds() const { return connection->ready() && connection->epoch() == epoch; }
  };

  // These give what a replica answered; an empty pointer: the primary must answer.
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
