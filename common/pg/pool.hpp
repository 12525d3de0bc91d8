#pragma once
// A process's connections to PostgreSQL, in three lanes. For one thread: call everything on the io_context's.

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "common/pg/batch.hpp"
#include "common/pg/error.hpp"
#include "common/pg/results.hpp"
#include "common/pg/statement.hpp"

namespace boost::asio {
class io_context;
}

namespace parley::pg {

using boost::asio::awaitable;

class Core;
class Connection;
class Replica;

struct Settings {
  // libpq URI or conninfo. With several hosts and no target_session_attrs: the one that accepts writes.
  std::string url;
  // The same for streaming replicas ("": none), to which as many read and slow connections are opened: see replica.hpp.
  // A replica behind a pooler cannot be verified and is not used.
  std::string replica_url;
  int read_connections = 2;
  int write_connections = 8;
  int slow_connections = 3;
  // False for PgBouncer in transaction mode: nothing is prepared, no session setting is relied on, and a read
  // connection carries one batch at a time, so configure more of them.
  bool prepared = true;
  std::chrono::milliseconds connect_timeout{3'000};
  // From sending a batch to its last result; the connection is closed when the deadline passes.
  std::chrono::milliseconds read_deadline{6'000};
  std::chrono::milliseconds write_deadline{10'000};
  std::chrono::milliseconds slow_deadline{35'000};  // the lane's statement_timeout is 30 s
  // Longest wait for a free connection; on the read lane, for a connection with room. A read held back by its own
  // organization's reads waits up to `read_deadline`, as it would behind them on a connection.
  std::chrono::milliseconds read_wait{1'000};
  std::chrono::milliseconds write_wait{1'000};
  std::chrono::milliseconds slow_wait{5'000};
  // A waiter fails at once when its lane has had no connection for this long; this also ends the wait of a read.
  std::chrono::milliseconds outage_grace{1'000};
  std::size_t max_reads_a_connection = 32;  // in flight; keeps the server busy and the queue behind each batch short
  std::size_t max_reads_waiting = 1'024;
  std::size_t max_waiters = 64;  // per write or slow lane; beyond, the organization with most loses its last one
};

struct LaneStats {
  int configured = 0;   // connections that the lane opens
  int connections = 0;  // connected now
  int active = 0;       // connected and with a batch or a transaction under way
  int idle = 0;
  std::size_t in_flight = 0;      // batches sent and not answered
  std::size_t waiters = 0;        // coroutines that wait for a connection
  std::size_t organizations = 0;  // organizations of those coroutines
  std::size_t under_way() const { return in_flight + waiters; }
  // Totals since the start:
  std::uint64_t connects = 0;
  std::uint64_t connect_failures = 0;
  std::uint64_t batches = 0;  // answered, failed or lost
  std::uint64_t statements = 0;
  std::uint64_t lost = 0;       // batches whose connection was lost
  std::uint64_t retried = 0;    // lost batches that were sent again
  std::uint64_t replanned = 0;  // batches sent again because the schema changed under a prepared statement
  std::uint64_t rejected = 0;   // Unavailable because of a bound or a deadline; three causes of overload:
  std::uint64_t queue_full = 0, late = 0, too_many = 0;  // queue full, wait timed out, too many reads in flight
  std::uint64_t deadlines = 0;                           // connections closed because a batch passed its deadline
  std::uint64_t waits = 0;                               // checkouts that had to wait
  double wait_seconds = 0;
  double batch_seconds = 0;
  std::map<std::string, std::uint64_t> errors;  // by the first two characters of the SQLSTATE; lost batches: 08
  std::string last_failure;                     // why a connection last failed to open or was lost
};

// Reads that a replica might answer, by the server that answered; each is counted once.
struct ReplicaReads {
  std::uint64_t replica = 0;  // answered by a replica
  std::uint64_t behind = 0;   // answered by the primary: no replica had replayed enough
  std::uint64_t away = 0;  // answered by the primary: no replica was reachable, trusted and free, or the replica failed
};

// One finished batch, for metrics and slow logs.
struct BatchReport {
  Lane lane;
  const Statement* first;  // the first statement; nullptr for a COMMIT alone
  std::size_t statements;
  double seconds;          // from sending to the last result
  std::string_view state;  // "" for success, the SQLSTATE, or "08006" when the connection was lost
  std::chrono::steady_clock::time_point sent;
  const model::TraceContext& trace;  // of the work that sent the batch, if that is recorded
};
using Observer = std::function<void(const BatchReport&)>;
// Reports each checkout's wait for a connection, failed ones included; the wait is mostly 0.
using WaitObserver = std::function<void(Lane lane, double seconds)>;

// A read in flight. May be destroyed without being awaited.
class Pending {
 public:
  // Call once. Throws SqlError or Unavailable. Sends the batch again on another connection, at most twice, if its
  // connection is lost soon after sending or before the server began with the batch.
  awaitable<Results> get();

 private:
  friend class Pool;
  Pending(std::shared_ptr<Core> core, PipelinedBatchPtr exchange)
      : core_(std::move(core)), exchange_(std::move(exchange)) {}
  std::shared_ptr<Core> core_;
  PipelinedBatchPtr exchange_;
};

// A rollback in flight. May be destroyed without being awaited.
class Ending {
 public:
  Ending() = default;  // no rollback: over() is true
  bool over() const { return !exchange_ || exchange_->finished(); }
  // Waits until the server has confirmed the rollback or the connection is lost. Throws nothing.
  awaitable<void> wait();

 private:
  friend class Transaction;
  PipelinedBatchPtr exchange_;
};

// A connection of the write lane for exclusive use. BEGIN (READ COMMITTED) travels with the first batch. Destruction
// without a commit rolls back; the connection is reused once the server has confirmed that.
class Transaction {
 public:
  Transaction(Transaction&&) noexcept;
  Transaction& operator=(Transaction&&) noexcept;
  ~Transaction();

  // Throws SqlError, after which the transaction can only be rolled back or destroyed, or Unavailable when the
  // connection is lost. One call at a time.
  awaitable<Results> run(Batch batch);
  // Commits. Throws SqlError (a deferred constraint), OutcomeUnknown when the connection is lost during the COMMIT, or
  // Unavailable when it was lost before. Sends nothing if no batch was run.
  awaitable<void> commit();
  // Sends the last batch (which may be the first one too) and COMMIT in one write. Throws as commit().
  awaitable<Results> commit(Batch batch);
  // Rolls back at once, as destruction does, and lets the caller wait until the transaction's locks are released.
  Ending roll_back();

 private:
  friend class Pool;
  struct State;
  explicit Transaction(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The connections of each lane:
//   read   pipelined, each shared by many coroutines; REPEATABLE READ READ ONLY
//   write  one transaction at a time each, so that their commits share an fsync
//   slow   one batch at a time each: counts, exports, searches without an index; REPEATABLE READ READ ONLY
// One organization holds at most all write or slow connections but one, and a few batches in flight per read
// connection; organizations wait in turn. A batch counts for the organization of its first statement that names one; a
// batch without one is not limited. Long-running statements belong on the slow lane: elsewhere others wait behind them.
class Pool {
 public:
  Pool(boost::asio::io_context& context, Settings settings);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();  // closes at once; waiters get Unavailable

  boost::asio::io_context& context() const;
  // Begins to connect. Batches sent before a connection is ready wait `outage_grace` for one.
  void start();
  // Refuses new batches, waits for those in flight (at most the longest deadline) and closes.
  awaitable<void> close();
  // True while the read and the write lane each have a connection.
  bool available() const;

  // Sends at once on the connection with the fewest batches in flight; if all or the organization are at their bound,
  // get() waits. All statements, of the read lane only, see one snapshot. Throws only MappingError.
  Pending start_read(Batch batch);
  // start_read() and get(); the call itself sends the batch, not the co_await.
  awaitable<Results> read(Batch batch);
  awaitable<Results> slow(Batch batch);
  // As read and slow, on a replica that has replayed every commit confirmed before this call, else on the primary.
  // Meant for pages, counts and reports; reads that lead to a write, and reads by id, go to the primary.
  awaitable<Results> read_anywhere(Batch batch);
  awaitable<Results> slow_anywhere(Batch batch);
  // Waits at most `write_wait` for a connection of the write lane, behind at most `max_waiters`; throws Unavailable.
  // `organization` is charged for the connection; a nil one (a worker's) is not limited.
  awaitable<Transaction> begin(model::Uuid organization = {});
  // Returns at once; the first batch waits for the connection. `first`, if given, is awaited before that batch: it may
  // run batches in the transaction, and its exceptions leave through that batch.
  Transaction begin_later(model::Uuid organization, std::function<awaitable<void>()> first = {});
  // Runs one batch as one transaction: BEGIN, the batch and COMMIT in one write. Throws as Transaction::commit.
  awaitable<Results> write(Batch batch);

  LaneStats stats(Lane lane) const;
  bool has_replica() const { return replica_ != nullptr; }
  ReplicaReads replica_reads() const;
  // Called for every finished batch before its waiter resumes. Must not throw nor call the pool.
  void observe(Observer observer);
  void observe_waits(WaitObserver observer);  // the same rules apply
  // Called, under the same rules, when a transaction that wrote to `outbox` has committed or its connection was lost
  // during COMMIT. There is one callback; an empty function removes it.
  void on_publish(std::function<void()> published);

 private:
  std::shared_ptr<Core> core_;
  std::shared_ptr<Replica> replica_;  // null if no replica is configured
};

}  // namespace parley::pg
