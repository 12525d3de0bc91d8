#pragma once
#include <array>
#include <deque>

#include "common/async/loop.hpp"
#include "common/chassis/events.hpp"
#include "common/events/queue_floor.hpp"
#include "conversations/channel/account.hpp"
#include "conversations/webhooks/asking.hpp"
#include "conversations/webhooks/rows.hpp"

namespace parley::conversations::webhooks {

// Applies what webhooks brought. Every dispatcher runs one: what one has taken the others pass over. Bodies are gone
// from the inbox with the commit that applies them; whoever dies leaves them to the others, and what had been applied
// already changes nothing when it is applied again. An element that cannot be applied is set aside in `parked_element`
// as a body of its own; those that only came too early, or whose sender contacts did not tell, are tried again from
// there. Other services are asked outside of any transaction: the rows are claimed again when they have answered.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, chassis::EventFeed& feed, channel::Accounts& accounts,
         chassis::Peer& contacts);

  void start();
  // After the batch under way.
  awaitable<void> stop();
  // The loop that start() begins. Throws nothing.
  awaitable<void> run() { return loop_.run(); }
  // One batch, if there is something; else false. Throws what cannot be helped by setting single elements aside.
  awaitable<bool> work();
  // Behind it is all of the inbox.
  const events::QueueFloor& floor() const { return floor_; }

 private:
  // What was taken at once.
  struct Load {
    std::vector<TakenRow> rows;
    std::vector<Payload> payloads;  // of the rows that could be read
    std::vector<Item> items;
    std::vector<std::size_t> items_of_row;  // how many
    pg::Batch end;                          // what becomes of the rows
  };
  using Items = std::span<Item>;

  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> look();
  awaitable<Load> take(pg::Transaction& claim);
  static void read(Load& load);
  bool is_known(Items items) const;
  awaitable<void> prepare(Items items);
  using Owners = std::map<std::string, channel::AccountPtr>;  // by number; nullptr: nobody
  awaitable<void> find_account(std::string number, Owners& known);
  awaitable<void> take_again(pg::Transaction& claim, Load& load);
  awaitable<void> apply_prepared(pg::Transaction& transaction, Items items);
  awaitable<void> apply_apart(pg::Transaction& claim, Items items);
  void settle(Load& load);
  void park(Load& load, const TakenRow& row, const Item& item);
  void count(const Load& load);
  awaitable<void> keep_house();
  void show();

  chassis::Process& process_;
  pg::Pool& database_;
  chassis::EventFeed& feed_;
  channel::Accounts& accounts_;
  Asking asking_;
  std::chrono::steady_clock::time_point next_housekeeping_{}, next_all_parked_{};
  events::QueueFloor floor_{"inbox"};
  model::Timestamp parked_after_;  // no element is due before
  int failures_ = 0;               // in a row
  std::size_t apart_ = 0;  // rows whose elements are to be applied each for itself: one of them made a batch fail
  BacklogRow backlog_;
  prometheus::Family<prometheus::Counter>& elements_;
  std::array<std::array<prometheus::Counter*, 5>, 6> counters_{};  // of elements_, by kind and result
  prometheus::Histogram& lag_;
  std::uint64_t failed_ = 0;  // batches
  async::Loop loop_;
};

}  // namespace parley::conversations::webhooks
