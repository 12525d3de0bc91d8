#pragma once
#include <deque>
#include <memory>

#include "conversations/channel/client.hpp"
#include "conversations/dispatch/attempt_metrics.hpp"
#include "conversations/dispatch/campaigns.hpp"
#include "conversations/dispatch/gate.hpp"
#include "conversations/dispatch/store.hpp"

namespace parley::conversations::dispatch {

// The state that all numbers of one dispatcher share.
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
  unsigned blindness = 0;                               // consecutive pauses

  void failed(const std::string& what);
  // Call when an account cannot be read: leaves numbers to other dispatchers for a while.
  void blind();
};

// The owner of one phone number: decides what it sends, in what order and how fast. A message is claimed (committed as
// Sending, or a campaign's as Queued), sent once, and its outcome recorded. All state of a message is in its row; only
// the pace is lost with this object.
// Claims are at most a quarter of a second's messages ahead: a kill leaves these in doubt, and those in flight. Single
// messages go before campaigns'.
class SenderWorker : public std::enable_shared_from_this<SenderWorker> {
 public:
  using Clock = std::chrono::steady_clock;

  SenderWorker(DispatchContext& context, NumberId id, Clock::time_point lease_end, bool abandoned, bool stopped);

  // Runs until end(), lose(), a stop or idle_time; then records what is in flight, releases the number. Throws nothing.
  awaitable<void> run();
  // Wakes the worker: a message may be due.
  void notify();
  void renewed(Clock::time_point lease_end) { lease_end_ = lease_end; }
  // Call when another dispatcher owns the number.
  void lose();
  // Begins no more messages.
  void end();

 private:
  using AccountPtr = std::shared_ptr<const channel::Account>;
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
  bool probing_;  // one message at a time, until the channel accepts one
  TokenBucket pace_;
  QueuePosition after_{};  // where the next look begins
  Campaigns campaigns_;
  std::deque<Ready> singles_, campaigns_messages_;
  async::Event notified_, launched_;  // set for run(); pulsed for launch_all(): there is work
  Clock::time_point last_work_ = Clock::now();
  Clock::time_point not_before_{};  // pause after troubles
  Clock::time_point round_over_{};  // pause after a pass over a long queue
  unsigned troubles_ = 0;           // consecutive attempts without a known outcome
  std::size_t in_flight_ = 0;
  std::size_t unsettled_ = 0;  // claimed messages without a recorded outcome
  Record unrecorded_;
  bool recording_ = false, launching_ = false, ending_ = false, lost_ = false;
  bool full_ = false;  // waits for room
};

}  // namespace parley::conversations::dispatch
