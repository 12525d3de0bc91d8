#pragma once
#include <deque>

#include "common/chassis/process.hpp"
#include "conversations/dispatch/campaign_store.hpp"
#include "conversations/dispatch/token_bucket.hpp"

namespace parley::conversations::dispatch {

struct CampaignMetrics {
  explicit CampaignMetrics(chassis::Process& process);
  prometheus::Counter &chunks_taken, &chunks_finished;
  prometheus::Counter &intents_made, &intents_skipped, &intents_unknown;
  prometheus::Counter& tier_waits;
};

// The Running campaigns of one phone number, as its owner handles them: takes chunks, makes messages in turn, tracks
// outcomes.
class Campaigns {
 public:
  using Clock = TokenBucket::Clock;

  Campaigns(CampaignStore& store, CampaignMetrics& metrics, const Settings& settings, NumberId number)
      : store_(store), metrics_(metrics), settings_(settings), number_(std::move(number)) {}

  // Reloads the running campaigns, unless that was done a moment ago. `unsettled`: the number's messages without a
  // recorded outcome. `explains`: also updates the campaigns' reasons to wait.
  awaitable<void> look(std::size_t unsettled, bool explains);
  bool any() const { return !running_.empty(); }
  std::vector<model::Uuid> running() const;
  // Returns whether the campaign's messages may be sent. A pause takes effect after a short delay.
  bool runs(const model::Uuid& campaign) const;
  // Stops the campaign because the channel refuses all its messages.
  void hold(const model::Uuid& campaign);

  struct Made {
    std::vector<Item> items;  // the caller sends them or puts them back
    bool lost = false;        // another dispatcher owns the number
  };
  // Makes at most `most` messages, all of one campaign.
  awaitable<Made> make(std::int64_t most);
  // Returns the time until make() may have something.
  Clock::duration rest() const;

  // Counts the record's results by chunk, and adds the chunks that end with them to the record.
  void close(Record& record);
  // Call once the record is committed.
  void written(const Record& record);
  // Returns what has accumulated to be recorded.
  Record gather() { return std::exchange(gathered_, {}); }
  // Makes nothing more, and releases the rest of the chunks to their next owner.
  void release();

 private:
  struct Campaign {
    Campaign(Running state, Clock::time_point now);
    Running state;
    TokenBucket pace;
    Clock::time_point next{};  // when its pace admits the next message
    Clock::time_point held_until{};
    std::shared_ptr<const CompiledMessage> letter;
    std::shared_ptr<Chunk> chunk;  // has targets without a message

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
  std::deque<std::shared_ptr<Campaign>> running_;  // the next one is in front
  std::vector<std::shared_ptr<Chunk>> chunks_;     // in hand: not recorded as finished
  Clock::time_point looked_{};
  std::optional<std::int64_t> limit_, left_;  // people in 24 hours: the limit, and how many of it are left
  std::string reason_;                        // why the campaigns wait
  Record gathered_;
};

}  // namespace parley::conversations::dispatch
