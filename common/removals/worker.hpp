#pragma once
// Deletions that are answered at once and done bit by bit. Whoever deletes something with many rows writes
// `removals::sql::begin` into the transaction that takes it out of sight; the worker then removes those rows, a bounded
// number a transaction, and goes on after a crash with what is left.
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

// A row of the table, as one who works on it sees it.
struct Removal {
  model::Uuid organization_id;
  std::string kind;
  model::Uuid id;
  std::int64_t age = 0;  // seconds
};
BOOST_DESCRIBE_STRUCT(Removal, (), (organization_id, kind, id, age))

// A statement with the parameters (organization_id uuid, id uuid, most int8): removes at most so many rows and is over
// once it finds none. Of the rows that it returns `then` makes what else is done in the transaction.
struct Step {
  using Then = std::function<pg::Batch(const Removal&, const pg::Results&)>;
  Step(const pg::Statement* statement_, Then then_ = {}) : statement(statement_), then(std::move(then_)) {}
  const pg::Statement* statement;
  Then then;
};

// How one kind of thing is removed.
struct Kind {
  std::string name;         // as in removal.kind
  std::vector<Step> steps;  // in their order
  // Each with (organization_id uuid, id uuid), in the transaction in which all steps found nothing.
  std::vector<const pg::Statement*> last{};
  // Not finished sooner: for what may still be written by who does not know of the deletion yet.
  std::chrono::seconds min_age{0};
  // Its row stays, with the time when it was finished.
  bool keep = false;
};

struct WorkerSettings {
  std::int64_t most = 2'000;                    // rows a step
  std::chrono::milliseconds busy_pause{10};     // between two transactions, for the others' sake
  std::chrono::milliseconds idle_pause{1'000};  // between two looks for work
  std::chrono::seconds retry_pause{5};          // of a removal that failed
};

struct WorkerStats {
  std::int64_t pending = 0;    // removals that are not finished, at the last look
  std::uint64_t rows = 0;      // removed by this process
  std::uint64_t finished = 0;  // removals, by this process
  std::uint64_t failures = 0;
};

// Every replica runs one. A removal is worked on by one of them at a time, whoever has its row locked; several removals
// take turns.
class Worker {
 public:
  Worker(boost::asio::io_context& context, pg::Pool& database, std::vector<Kind> kinds, events::Report report,
         WorkerSettings settings = {});

  // Works until stop(). Throws nothing. May be killed at any moment.
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
  std::optional<Removal> at_work_;  // of the transaction under way, or that failed
  bool busy_ = false;               // there may be more due
  WorkerStats stats_;
  async::Loop loop_;
};

}  // namespace parley::removals
