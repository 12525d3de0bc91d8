#pragma once
// Deletions that respond at once and remove rows in the background. The deleting transaction hides the object and runs
// `removals::sql::begin`; the worker removes the rows, a bounded number per transaction, and resumes after a crash.
#include <boost/describe/class.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/async/loop.hpp"
#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::removals {

using boost::asio::awaitable;

// A row of the table, as its worker sees it.
struct Removal {
  model::Uuid organization_id;
  std::string kind;
  model::Uuid id;
  std::int64_t age = 0;  // seconds
};
BOOST_DESCRIBE_STRUCT(Removal, (), (organization_id, kind, id, age))

// A statement with parameters (organization_id uuid, id uuid, most int8): removes at most `most` rows, and is done once
// it finds none. `then` makes further statements for the same transaction from the returned rows.
struct Step {
  using Then = std::function<pg::Batch(const Removal&, const pg::Results&)>;
  Step(const pg::Statement* statement_, Then then_ = {}) : statement(statement_), then(std::move(then_)) {}
  const pg::Statement* statement;
  Then then;
};

// How to remove one kind of object.
struct Kind {
  std::string name;         // as in removal.kind
  std::vector<Step> steps;  // in order
  // Statements (organization_id uuid, id uuid) for the transaction in which all steps found nothing.
  std::vector<const pg::Statement*> last{};
  // The minimum age at which a removal finishes, as writers may not know of the deletion yet.
  std::chrono::seconds min_age{0};
  // Keeps the removal's row, with its finish time.
  bool keep = false;
};

struct WorkerSettings {
  std::int64_t most = 2'000;                    // rows per step
  std::chrono::milliseconds busy_pause{10};     // between two transactions, to leave capacity to others
  std::chrono::milliseconds idle_pause{1'000};  // between two looks for work
  std::chrono::seconds retry_pause{5};          // after a failure
};

struct WorkerStats {
  std::int64_t pending = 0;    // unfinished removals at the last look
  std::uint64_t rows = 0;      // removed by this process
  std::uint64_t finished = 0;  // removals, by this process
  std::uint64_t failures = 0;
};

// Every replica runs one. A removal is processed by the replica that has locked its row; several removals take turns.
class Worker {
 public:
  Worker(boost::asio::io_context& context, pg::Pool& database, std::vector<Kind> kinds, events::Report report,
         WorkerSettings settings = {});

  // Runs until stop(). Does not throw. May be killed at any moment.
  awaitable<void> run() { return loop_.run(); }
  void stop() { loop_.request_stop(); }
  const WorkerStats& stats() const { return stats_; }

 private:
  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> look();
  awaitable<bool> work();
  awaitable<std::uint64_t> remove_some(pg::Transaction& transaction, const Kind& kind, const Removal& removal);
  static pg::Batch last_batch(const Kind& kind, const Removal& removal);
  static pg::Batch next_turn(const Removal& removal, std::int64_t seconds);
  awaitable<void> postpone(Removal removal);

  pg::Pool& database_;
  std::vector<Kind> kinds_;
  std::vector<std::string> names_;
  events::Report report_;
  WorkerSettings settings_;
  std::optional<Removal> at_work_;  // the current or failed removal
  bool busy_ = false;               // more may be due
  WorkerStats stats_;
  async::Loop loop_;
};

}  // namespace parley::removals
