#pragma once
#include <deque>
#include <memory>

#include "conversations/channel/client.hpp"
#include "conversations/dispatch/attempt_metrics.hpp"
#include "conversations/dispatch/campaigns.hpp"
#include "conversations/dispatch/gate.hpp"
#include "conversations/dispatch/store.hpp"

namespace parley::conversations::dispatch {

// What the numbers of one dispatcher have in common.
struct DispatchContext {
  chassis::Process& process;
  Store& store;
  CampaignStore& campaign_store;
  channel::Accounts& accounts;
  channel::Client& client;
  const Settings& settings;
  const model::Uuid owner;
  Gate gate{settings.in_flight};
  std::size_t in_flight = 0;  // messages on their way, of all numbers
  std::uint64_t failures = 0, lost = 0;
  AttemptMetrics attempts{process};
  prometheus::Histogram& throttle_wait =
      process.metrics()
          .histograms("dispatch_throttle_wait_seconds", "How long messages waited for their number's turn to send")
          .Add({}, chassis::kSeconds);
  CampaignMetrics campaigns{process};
  std::chrono::steady_clock::time_point blind_until{};  // no number is taken until then
  unsigned blindness = 0;                               // how often in a row

  void failed(const std::string& what);
  // An account could not be learned: another dispatcher may be able to, so that this one leaves its numbers alone.
  void blind();
};

// One phone number as its owner has it: what it may send, in what order and how fast. A message is claimed (committed
// as Sending, or a campaign's as Queued), sent once, and what became of it written down. All rules of a message's are
// in its row, so that nothing is forgotten with this object: what it alone knows is the pace.
//
// Claims are made ahead of need, of no more than a quarter of a second's messages: what a kill leaves in doubt beside
// those on their way. Single messages go before campaigns'.
class SenderWorker : public std::enable_shared_from_this<SenderWorker> {
 public:
  using Clock = std::chrono::steady_clock;

  SenderWorker(DispatchContext& context, NumberId id, Clock::time_point lease_end, bool abandoned, bool stopped);

  // Until end(), lose(), a stop, or nothing to do for a while; then what is on its way has been written down, and the
  // number is given back. Throws nothing.
  awaitable<void> run();
  // Something may be due.
  void notify();
  void renewed(Clock::time_point lease_end) { lease_end_ = lease_end; }
  // Another dispatcher has it.
  void lose();
  // Nothing more is begun.
  void end();

 private:
  using AccountPtr = std::shared_ptr<const channel::Account>;
  // A message that was claimed and is to be begun.
  struct Ready {
    Item item;
    model::Uuid claim;
    Clock::time_point made;
    AccountPtr account;
  };

  awaitable<void> step();
  std::int64_t room() const;
  awaitable<std::int64_t> claim(std::int64_t most, AccountPtr account);
  awaitable<std::int64_t> make(std::int64_t most, AccountPtr account);
  awaitable<void> launch_all();
  awaitable<void> launch();
  bool is_to_go(const Ready& ready) const;
  awaitable<bool> wait_for_turn();
  awaitable<void> send(Item item, model::Uuid claim, AccountPtr account);
  awaitable<channel::Outcome> call(const Item& item, const channel::Account& account);
  void learn(const Item& item, const channel::Outcome& outcome, const channel::Account& account);
  void add(Result result);
  void gather();
  void start_recording();
  awaitable<void> record();
  awaitable<bool> try_record(Record& record);
  awaitable<void> finish();
  awaitable<void> rest(Clock::duration time);
  void count(const Item& item, const channel::Outcome& outcome, const Result& result);

  DispatchContext& context_;
  const NumberId id_;
  Clock::time_point lease_end_;
  bool abandoned_;
  bool probing_;  // one message at a time, until the channel takes one
  TokenBucket pace_;
  QueuePosition after_{};  // where the next look begins
  Campaigns campaigns_;
  std::deque<Ready> singles_, campaigns_messages_;
  async::Event notified_, launched_;  // set for run(); pulsed for launch_all(): there is something to do
  Clock::time_point last_work_ = Clock::now();
  Clock::time_point not_before_{};  // after troubles
  Clock::time_point round_over_{};  // all of a long queue was looked at: not again before
  unsigned troubles_ = 0;           // attempts in a row of which the channel did not say what became
  std::size_t in_flight_ = 0;
  std::size_t unsettled_ = 0;  // messages that were claimed and of which nothing is written down yet
  Record unrecorded_;
  bool recording_ = false, launching_ = false, ending_ = false, lost_ = false;
  bool full_ = false;  // rests until there is room
};

}  // namespace parley::conversations::dispatch
