#pragma once
#include <map>
#include <optional>
#include <vector>

#include "common/pg/pool.hpp"
#include "conversations/messages/engagement/campaign_counters.hpp"

namespace parley::conversations::engagement {

using boost::asio::awaitable;

// Replies to the message it quotes, or to the conversation's last outbound one, if at most 72 hours old.
struct Answer {
  std::optional<model::Uuid> quoted;
  model::Uuid conversation;
  model::Timestamp at;
};

struct Click {
  model::Uuid id;  // idempotency key: a repeated id is not counted again
  model::Uuid organization_id, campaign_id;
  std::int64_t url_id = 0;
  std::int32_t ordinal = 0;
  model::Timestamp at;
  bool preview = false;  // fetched for a preview: stored and shown, but not counted as a person's click
};

// The first reply and click are exact under concurrency. Deleted campaigns are skipped.

// Must be called once for each answer.
awaitable<void> note_replies(pg::Transaction& transaction, model::Uuid organization, std::vector<Answer> answers,
                             CampaignCounters& counters);
// Counts by organization.
awaitable<void> note_clicks(pg::Transaction& transaction, std::vector<Click> clicks,
                            std::map<model::Uuid, CampaignCounters>& by_organization);

}  // namespace parley::conversations::engagement
