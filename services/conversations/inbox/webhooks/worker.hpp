#pragma once
#include <array>

#include "common/async/loop.hpp"
#include "common/chassis/events.hpp"
#include "common/events/queue_floor.hpp"
#include "conversations/inbox/webhooks/asking.hpp"
#include "conversations/inbox/webhooks/ownership.hpp"
#include "conversations/inbox/webhooks/rows.hpp"

namespace parley::conversations::webhooks {

// What another program's messages are mentioned by, given up in the end.
enum class Foreign { reference, revocation, status, account };
BOOST_DESCRIBE_ENUM(Foreign, reference, revocation, status, account)

// Applies received webhooks; every dispatcher runs one, and skips rows that another has claimed. A body leaves the
// inbox in the commit that applies it, and applying it again changes nothing. An element that cannot be applied moves
// to `parked_element`, and is retried if it came too early or its sender is unknown. Other services are asked outside
// of transactions: rows are put on hold for that time, and claimed again afterwards.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, channel::Accounts& accounts, chassis::ServiceClient& contacts);

  void start();
  awaitable<void> stop();
  // Throws nothing.
  awaitable<void> run() { return loop_.run(); }
  // Applies one batch; false if there is none. Throws failures that concern more than single elements.
  awaitable<bool> work();
  // The inbox has no rows below it.
  const events::QueueFloor& floor() const { return floor_; }

 private:
  struct Load {
    std::vector<TakenRow> rows;
    std::vector<Payload> payloads;  // of the rows
    std::vector<Item> items;
    pg::Batch end;                          // removes or parks the rows
    std::array<std::int64_t, 4> foreign{};  // elements given up as another program's, by Foreign
    void note(Foreign kind) { ++foreign.at(static_cast<std::size_t>(kind)); }
    // Whether a row is a parked element.
    bool is_alone(std::size_t row) const { return rows[row].attempts > 0 && payloads[row].elements.size() == 1; }
  };
  using Items = std::span<Item>;

  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> look();
  std::vector<Awaited> kinds_to_try();
  awaitable<std::vector<TakenRow>> take(pg::Transaction& claim);
  // Splits rows into those that need no other service, and the rest.
  std::pair<Load, Load> read(std::vector<TakenRow> rows) const;
  awaitable<void> prepare(Items items);
  static void hold(pg::Batch& batch, const Load& load, std::int64_t seconds);
  awaitable<void> let_go(const Load& load);
  awaitable<void> take_again(pg::Transaction& claim, Load& load);
  awaitable<void> finish(pg::Transaction& claim, Load& load, bool apart);
  awaitable<void> apply_prepared(pg::Transaction& transaction, Items items);
  awaitable<void> apply_apart(pg::Transaction& claim, Items items);
  static void settle(Load& load);
  static void park(Load& load, const Item& item);
  void count(Load& load);
  awaitable<void> keep_house();
  void show();

  chassis::Process& process_;
  pg::Pool& database_;
  Ownership ownership_;
  Asking asking_;
  std::chrono::steady_clock::time_point next_housekeeping_{}, next_all_parked_{};
  events::QueueFloor floor_{"inbox"};
  model::Timestamp parked_after_;  // no parked element is due earlier
  int failures_ = 0;               // in a row
  std::size_t apart_ = 0;          // rows left to apply element by element, after one of them made a batch fail
  BacklogRow backlog_;
  prometheus::Family<prometheus::Counter>& elements_;
  std::array<std::array<prometheus::Counter*, 7>, 7> counters_{};  // of elements_, by kind and result
  std::array<prometheus::Counter*, 4> foreign_{};                  // by Foreign
  prometheus::Histogram& lag_;
  std::uint64_t failed_ = 0;  // batches
  async::Loop loop_;
};

}  // namespace parley::conversations::webhooks
