#pragma once
#include "common/chassis/events.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/rendering/composition.hpp"
#include "conversations/dispatch/settings.hpp"
#include "conversations/dispatch/shapes.hpp"

namespace parley::conversations::dispatch {

using boost::asio::awaitable;

// A campaign's messages and links, compiled for rendering to targets.
struct CompiledMessage {
  rendering::Composition composition;
  std::vector<rendering::Url> urls;  // in the order of the composition's links
};

// A message to be made for a target.
struct NewMessage {
  std::int32_t ordinal = 0;
  model::MessageType type = model::MessageType::Text;
  std::string data;
};

// The campaigns of a dispatcher's numbers in the database. Store records the outcomes of their messages.
class CampaignStore {
 public:
  CampaignStore(pg::Pool& database, const Settings& settings, model::Uuid owner)
      : database_(database), settings_(settings), owner_(owner) {}

  // `open`: the chunks in hand.
  struct Look {
    std::vector<Running> running;
    Reached reached;
  };
  awaitable<Look> look(NumberId number, std::vector<ChunkId> open);
  awaitable<std::shared_ptr<const CompiledMessage>> letter(model::Uuid organization, model::Uuid campaign);
  // Takes a chunk that is not in hand, with its targets that have no message. If the chunk had an owner before, its
  // Queued messages become in doubt. Null: no such chunk, or another dispatcher owns the number.
  awaitable<std::shared_ptr<Chunk>> take(NumberId number, model::Uuid campaign, std::vector<ChunkId> open);
  // Makes messages or skips targets, and emits events. May throw pg::OutcomeUnknown: the caller then repeats the call
  // with `again`, which waits for the first transaction to end and returns only what that did not do.
  awaitable<std::vector<Intent>> intend(NumberId number, model::Uuid campaign, const std::vector<NewMessage>& messages,
                                        bool again = false);
  // Stores why the number's campaigns wait.
  awaitable<void> explain(NumberId number, std::string reason);

 private:
  pg::Pool& database_;
  const Settings& settings_;
  const model::Uuid owner_;
};

}  // namespace parley::conversations::dispatch
