#pragma once
#include "common/chassis/events.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/rendering/composition.hpp"
#include "conversations/dispatch/settings.hpp"
#include "conversations/dispatch/shapes.hpp"

namespace parley::conversations::dispatch {

using boost::asio::awaitable;

// A campaign's messages and links, as they are rendered for its targets.
struct CompiledMessage {
  rendering::Composition composition;
  std::vector<rendering::Url> urls;  // in the order of the composition's
};

// A message that is to be made for a target.
struct NewMessage {
  std::int32_t ordinal = 0;
  model::MessageType type = model::MessageType::Text;
  std::string data;
};

// The campaigns of the numbers that a dispatcher owns, in the database. What became of their messages is Store's.
class CampaignStore {
 public:
  CampaignStore(pg::Pool& database, const Settings& settings, model::Uuid owner)
      : database_(database), settings_(settings), owner_(owner) {}

  // `open`: the chunks that are in hand.
  struct Look {
    std::vector<Running> running;
    Reached reached;
  };
  awaitable<Look> look(NumberId number, std::vector<ChunkId> open);
  awaitable<std::shared_ptr<const CompiledMessage>> letter(model::Uuid organization, model::Uuid campaign);
  // Another chunk than those in hand, with its targets that have no message. What was being sent of it, should it have
  // had an owner before, is in doubt from then on. Null: there is none, or the number is another's.
  awaitable<std::shared_ptr<Chunk>> take(NumberId number, model::Uuid campaign, std::vector<ChunkId> open);
  // Makes messages, or skips targets, and tells that. Throws pg::OutcomeUnknown too: then the same is to be asked
  // `again`, which waits until the first one has ended, and gives only what that has not done.
  awaitable<std::vector<Intent>> intend(NumberId number, model::Uuid campaign, const std::vector<NewMessage>& messages,
                                        bool again = false);
  // Why the number's campaigns wait.
  awaitable<void> explain(NumberId number, std::string reason);

 private:
  pg::Pool& database_;
  const Settings& settings_;
  const model::Uuid owner_;
};

}  // namespace parley::conversations::dispatch
