#pragma once
#include <memory>

#include "conversations/channel/client.hpp"
#include "conversations/dispatch/gate.hpp"
#include "conversations/dispatch/pace.hpp"
#include "conversations/dispatch/store.hpp"

namespace parley::conversations::dispatch {

// What the numbers of one dispatcher have in common.
struct Floor {
  chassis::Process& process;
  Store& store;
  channel::Accounts& accounts;
  channel::Client& client;
  const Settings& settings;
  const model::Uuid owner = model::new_uuid();
  Gate gate{process.context(), settings.in_flight};
  std::size_t in_flight = 0;  // messages on their way, of all numbers
  std::uint64_t failures = 0, lost = 0;
  prometheus::Family<prometheus::Counter>& messages = process.metrics().counters(
      "dispatch_messages_total", "Attempts to send, by what became of them and how the channel refused them");
  prometheus::Histogram& throttle_wait =
      process.metrics()
          .histograms("dispatch_throttle_wait_seconds", "How long messages waited for their number's turn to send")
          .Add({}, chassis::kSeconds);

  void failed(const std::string& what);
};

// One phone number as its owner has it: what it may send, in what order and how fast. A message is claimed (committed
// as Sending), sent once, and what became of it written down. All rules of a message's are in its row, so that nothing
// is forgotten with this object: what it alone knows is the pace.
class Number : public std::enable_shared_from_this<Number> {
 public:
  using Clock = std::chrono::steady_clock;

  Number(Floor& floor, NumberId id, Clock::time_point lease_end, bool abandoned, bool stopped);

  // Until end(), lose(), a stop, or nothing to do for a while; then what is on its way has been written down, and the
  // number is given back. Throws nothing.
  awaitable<void> run();
  // Something may be due.
  void kick();
  void renewed(Clock::time_point lease_end) { lease_end_ = lease_end; }
  // Another dispatcher has it.
  void lose();
  // Nothing more is begun.
  void end();

 private:
  using AccountPtr = std::shared_ptr<const channel::Account>;
  struct Claim {
    model::Uuid id = model::new_uuid();
    Clock::time_point made = Clock::now();
    std::vector<Item> items;
  };

  awaitable<void> step();
  std::int64_t room() const;
  awaitable<Claim> claim(std::int64_t most);
  awaitable<void> launch(Item item, const Claim& claim, const AccountPtr& account);
  awaitable<bool> wait_for_turn();
  awaitable<void> send(Item item, model::Uuid claim, AccountPtr account);
  awaitable<channel::Outcome> call(const Item& item, const channel::Account& account);
  void learn(const channel::Outcome& outcome, const channel::Account& account);
  void add(Result result);
  void start_recording();
  awaitable<void> record();
  awaitable<bool> try_record(Record& record);
  awaitable<void> finish();
  awaitable<void> rest(Clock::duration time);
  void count(const Item& item, const channel::Outcome& outcome, const Result& result);

  Floor& floor_;
  const NumberId id_;
  Clock::time_point lease_end_;
  bool abandoned_;
  bool probing_;  // one message at a time, until the channel takes one
  Pace pace_;
  Place after_{};  // where the next look begins
  boost::asio::steady_timer timer_;
  Clock::time_point last_work_ = Clock::now();
  Clock::time_point not_before_{};  // after troubles
  unsigned troubles_ = 0;           // attempts in a row that the channel did not answer
  std::size_t in_flight_ = 0;
  Record unrecorded_;
  bool recording_ = false, kicked_ = false, ending_ = false, lost_ = false;
};

}  // namespace parley::conversations::dispatch
