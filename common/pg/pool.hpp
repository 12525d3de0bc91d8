#pragma once
// A process's connections to PostgreSQL, in three lanes:
//   read   two connections, pipelined, each shared by many coroutines; REPEATABLE READ READ ONLY
//   write  eight, one transaction at a time each, so that their commits share an fsync
//   slow   three, one batch at a time each: counts, exports, searches without an index; REPEATABLE READ READ ONLY
// and, where read replicas are configured, as many read and slow ones to these: see replica.hpp.
// Organizations share them: of the write and the slow lane an organization has all connections but one at most, of the
// read lane a few batches a connection under way, and of those who wait in a lane the organizations take turns. A batch
// is the organization's whose its first statement is; those that are nobody's, as settings, do not count. So what may
// take long belongs on the slow lane: elsewhere a few of them are waited for.
// One thread: everything here is called on the io_context's.

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
  // libpq URI or conninfo. Several hosts as libpq has them; without target_session_attrs they mean one that takes
  // writes.
  std::string url;
  // The same of streaming replicas of that server; "": none. They must be PostgreSQL itself: behind a pooler nothing
  // can be said of what a session is connected to, and they are not used.
  std::string replica_url;
  int read_connections = 2;
  int write_connections = 8;
  int slow_connections = 3;
  // False for PgBouncer in transaction mode: nothing is prepared and no session setting is relied on. A connection of
  // the read lane then carries one batch at a time: give it more of them.
  bool prepared = true;
  std::chrono::milliseconds connect_timeout{3'000};
  // From sending a batch to its last answer; the connection is closed when it passes.
  std::chrono::milliseconds read_deadline{6'000};
  std::chrono::milliseconds write_deadline{10'000};
  std::chrono::milliseconds slow_deadline{35'000};  // the lane's statement_timeout is 30 s
  // How long to wait for a free connection; of the read lane, for one that has room. For its own organization's reads a
  // read waits up to `read_deadline`, as it would behind them on a connection.
  std::chrono::milliseconds read_wait{1'000};
  std::chrono::milliseconds write_wait{1'000};
  std::chrono::milliseconds slow_wait{5'000};
  // Waiting is given up at once when the lane has had no connection for this long. A read waits no longer either.
  std::chrono::milliseconds outage_grace{1'000};
  std::size_t max_reads_a_connection = 32;  // under way; enough to keep the server busy, and few to wait behind
  std::size_t max_reads_waiting = 1'024;
  std::size_t max_waiters =
      64;  // a lane, write and slow; beyond, the last of whichever organization has most gives way
};

struct LaneStats {
  int configured = 0;   // connections that there may be
  int connections = 0;  // connected now
  int active = 0;       // of those, with a batch or a transaction under way
  int idle = 0;
  std::size_t in_flight = 0;      // batches sent and not answered
  std::size_t waiters = 0;        // coroutines that wait for a connection
  std::size_t organizations = 0;  // whose they are
  // Since the start:
  std::uint64_t connects = 0;
  std::uint64_t connect_failures = 0;
  std::uint64_t batches = 0;  // answered, failed ones included
  std::uint64_t statements = 0;
  std::uint64_t lost = 0;       // batches whose connection went
  std::uint64_t retried = 0;    // of those, sent again
  std::uint64_t replanned = 0;  // sent again as the schema had changed under a prepared statement
  std::uint64_t rejected = 0;   // Unavailable because of a bound or a deadline; of those, as there was too much to do:
  std::uint64_t queue_full = 0, late = 0, too_many = 0;  // nobody more could wait, waited in vain, reads under way
  std::uint64_t deadlines = 0;                           // connections closed because a batch was overdue
  std::uint64_t waits = 0;                               // checkouts that had to wait
  double wait_seconds = 0;
  double batch_seconds = 0;
  std::map<std::string, std::uint64_t> errors;  // by the SQLSTATE's class, its first two characters; lost ones as 08
  std::string last_failure;                     // why a connection last could not be made or was lost
};

// What became of the reads that a replica might have answered; each is counted once.
struct ReplicaReads {
  std::uint64_t replica = 0;  // answered by one
  std::uint64_t behind = 0;   // by the primary: no replica had replayed enough
  std::uint64_t away = 0;     // by the primary: none could be reached and trusted, it failed, or had too much to do
};

// One finished batch, for metrics and slow logs.
struct BatchReport {
  Lane lane;
  const Statement* first;  // its first statement; nullptr for a COMMIT alone
  std::size_t statements;
  double seconds;          // from sending to the last answer
  std::string_view state;  // "" for success, the SQLSTATE, or "08006" when the connection was lost
  std::chrono::steady_clock::time_point sent;
  const model::TraceContext& trace;  // of what it was done for, if that is recorded
};
using Observer = std::function<void(const BatchReport&)>;
// How long a batch or a transaction waited for a connection, in vain too: mostly 0.
using WaitObserver = std::function<void(Lane lane, double seconds)>;

// A read that is under way. May be let go without awaiting it.
class Pending {
 public:
  // Once. Throws SqlError or Unavailable. If the connection is lost soon after sending, or before the server began with
  // the batch, that is sent again on another one, twice at most.
  awaitable<Results> get();

 private:
  friend class Pool;
  Pending(std::shared_ptr<Core> core, PipelinedBatchPtr exchange)
      : core_(std::move(core)), exchange_(std::move(exchange)) {}
  std::shared_ptr<Core> core_;
  PipelinedBatchPtr exchange_;
};

// A rollback under way. May be let go without awaiting it.
class Ending {
 public:
  Ending() = default;  // of nothing: over
  bool over() const { return !exchange_ || exchange_->finished(); }
  // Until the server has confirmed it, or the connection is lost. Throws nothing.
  awaitable<void> wait();

 private:
  friend class Transaction;
  PipelinedBatchPtr exchange_;
};

// A connection taken from the write lane, to itself. BEGIN (READ COMMITTED) travels with the first batch. Let go
// without a commit it is rolled back, and its connection is used again only when that is confirmed.
class Transaction {
 public:
  Transaction(Transaction&&) noexcept;
  Transaction& operator=(Transaction&&) noexcept;
  ~Transaction();

  // Throws SqlError, after which only letting go is left, or Unavailable when the connection is lost. One at a time.
  awaitable<Results> run(Batch batch);
  // COMMIT. Throws SqlError (a deferred constraint), OutcomeUnknown when the connection goes meanwhile, or Unavailable
  // when it had gone before. Nothing was run: nothing is sent.
  awaitable<void> commit();
  // The last batch and COMMIT in one write; the batch may be the first one too.
  awaitable<Results> commit(Batch batch);
  // Ends it at once, as letting go does, for whoever needs to know when nothing of it is left, its locks included.
  Ending roll_back();

 private:
  friend class Pool;
  struct State;
  explicit Transaction(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class Pool {
 public:
  Pool(boost::asio::io_context& context, Settings settings);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();  // closes at once; waiters get Unavailable

  boost::asio::io_context& context() const;
  // Begins to connect. Batches may be given before a connection is there: they wait `outage_grace` for it.
  void start();
  // Takes nothing new, waits for what is under way (no longer than the longest deadline) and closes.
  awaitable<void> close();
  // The read and the write lane each have a connection.
  bool available() const;

  // Sends at once, on the connection with the fewest batches under way, unless all have as many as they may, or the
  // organization has: then get() waits. All statements see one snapshot. The batch may hold statements of the read lane
  // only. Throws nothing but MappingError; the rest comes from get().
  Pending start_read(Batch batch);
  // The same, awaited; it too is sent by the call, not by the co_await.
  awaitable<Results> read(Batch batch);
  // A batch on the slow lane; statements of the read lane are welcome.
  awaitable<Results> slow(Batch batch);
  // The same as read and slow, on a replica if there is one that has replayed all that the primary had committed when
  // this was called; else on the primary. So whoever has seen a write be answered finds it here, too. For pages, counts
  // and reports; what leads to a write, and what is read by its id, is read where it is written.
  awaitable<Results> read_anywhere(Batch batch);
  awaitable<Results> slow_anywhere(Batch batch);
  // Waits for a connection of the write lane: at most `write_wait`, with at most `max_waiters`, else Unavailable.
  // `organization` is whose work it is; nil: nobody's in particular, as a worker's, which all connections are open to.
  awaitable<Transaction> begin(model::Uuid organization = {});
  // The same with its first batch, which then waits for the connection. `first`, if any, is awaited before that batch:
  // it may run batches of its own in the transaction, and what it throws the batch throws.
  Transaction begin_later(model::Uuid organization, std::function<awaitable<void>()> first = {});
  // One batch as one transaction: BEGIN, the batch and COMMIT in one write. Errors as Transaction::commit.
  awaitable<Results> write(Batch batch);

  LaneStats stats(Lane lane) const;
  bool has_replica() const { return replica_ != nullptr; }
  ReplicaReads replica_reads() const;
  // Called for every finished batch, before its waiter resumes. Must not throw, nor call the pool.
  void observe(Observer observer);
  void observe_waits(WaitObserver observer);  // likewise
  // Called when a transaction has committed that added to the table `outbox`, or may have: its connection was lost
  // meanwhile. Before its waiter resumes; likewise. One: another takes its place, an empty one ends it.
  void on_publish(std::function<void()> published);

 private:
  std::shared_ptr<Core> core_;
  std::shared_ptr<Replica> replica_;  // none where none is configured
};

}  // namespace parley::pg
