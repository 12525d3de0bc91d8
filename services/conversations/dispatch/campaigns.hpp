#pragma once
#include <deque>

#include "common/chassis/process.hpp"
#include "conversations/dispatch/campaign_store.hpp"
#include "conversations/dispatch/token_bucket.hpp"

namespace parley::conversations::dispatch {

// What operators see of the campaigns of one dispatcher.
struct CampaignMetrics {
  explicit CampaignMetrics(chassis::Process& process);
  prometheus::Counter &chunks_taken, &chunks_finished;
  prometheus::Counter &intents_made, &intents_skipped, &intents_unknown;
  prometheus::Counter& tier_waits;
};

// The Running campaigns of one phone number, as its owner has them: takes their targets chunk by chunk, makes messages
// for them, some of each campaign in turn, and keeps account of what became of these.
class Campaigns {
 public:
  using Clock = TokenBucket::Clock;

  Campaigns(CampaignStore& store, CampaignMetrics& metrics, const Settings& settings, NumberId number)
      : store_(store), metrics_(metrics), settings_(settings), number_(std::move(number)) {}

  // Which run now, unless that was asked a moment ago; `unsettled` is how many messages the number has on their way.
  // `explains`: campaigns' reasons to wait are kept up to date.
  awaitable<void> look(std::size_t unsettled, bool explains);
  bool any() const { return !running_.empty(); }
  std::vector<model::Uuid> running() const;
  // Whether its messages may still go. It may have been told of a pause a moment ago.
  bool runs(const model::Uuid& campaign) const;
  // The channel takes nothing of it.
  void hold(const model::Uuid& campaign);

  struct Made {
    std::vector<Item> items;  // to be sent by who asked, or put back
    bool lost = false;        // the number is another's
  };
  // At most so many, of one campaign.
  awaitable<Made> make(std::int64_t most);
  // Until make() may have something.
  Clock::duration rest() const;

  // Counts a record's results of chunks, which are over with their last one: adds that.
  void close(Record& record);
  // It was written down.
  void written(const Record& record);
  // What these have come to in the meantime, to be written down.
  Record gather() { return std::exchange(gathered_, {}); }
  // Makes nothing more: what is left of the chunks is for whoever takes them next.
  void release();

 private:
  struct Campaign {
    Campaign(Running state, Clock::time_point now);
    Running state;
    TokenBucket pace;
    Clock::time_point next{};  // when its pace lets another one go
    Clock::time_point held_until{};
    std::shared_ptr<const CompiledMessage> letter;
    std::shared_ptr<Chunk> chunk;  // with targets that have no message

    bool waits(Clock::time_point now) const;
  };

  std::vector<ChunkId> in_hand() const;
  void learn(std::vector<Running> running);
  void learn(const Reached& reached, std::size_t unsettled);
  awaitable<void> explain();
  awaitable<bool> has_targets(Campaign& campaign);
  static std::size_t turn(Campaign& campaign, std::int64_t most);
  awaitable<void> make(Campaign& campaign, std::size_t count, Made& made);
  std::vector<NewMessage> render(const Campaign& campaign, std::size_t count) const;
  void take_up(Campaign& campaign, std::vector<NewMessage> messages, const std::vector<Intent>& intents, Made& made);
  void give_up(Campaign& campaign);
  void end_if_over(const Chunk& chunk, Record& record);

  CampaignStore& store_;
  CampaignMetrics& metrics_;
  const Settings& settings_;
  const NumberId number_;
  std::deque<std::shared_ptr<Campaign>> running_;  // the next one in front
  std::vector<std::shared_ptr<Chunk>> chunks_;     // in hand: not written down as over
  Clock::time_point looked_{};
  std::optional<std::int64_t> limit_, left_;  // of the people in 24 hours: all, and who may still be written to
  std::string reason_;                        // why the campaigns wait
  Record gathered_;
};

}  // namespace parley::conversations::dispatch
