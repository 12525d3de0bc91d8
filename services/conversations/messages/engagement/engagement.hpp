#pragma once
#include <map>
#include <optional>
#include <vector>

#include "common/pg/pool.hpp"
#include "conversations/messages/engagement/campaign_counters.hpp"

namespace parley::conversations::engagement {

using boost::asio::awaitable;

// An inbound message that may answer a campaign's. It answers what it quotes; one that quotes nothing answers the last
// outbound message of its conversation, if that is at most 72 hours old.
struct Answer {
  std::optional<model::Uuid> quoted;
  model::Uuid conversation;
  model::Timestamp at;
};

// Of a recipient on a campaign's link.
struct Click {
  model::Uuid id;  // given once: what is written again under it is not counted again
  model::Uuid organization_id, campaign_id;
  std::int64_t url_id = 0;
  std::int32_t ordinal = 0;
  model::Timestamp at;
  bool preview = false;  // nobody's: kept and shown, but not what a person did
};

// Both note what recipients did, in one statement, and count it. Whether something is the first of its
// kind is exact, whoever writes at the same time. Of campaigns that were deleted nothing is noted any more.

// Each answer once in its life.
awaitable<void> note_replies(pg::Transaction& transaction, model::Uuid organization, std::vector<Answer> answers,
                             CampaignCounters& counters);
// Counters an organization.
awaitable<void> note_clicks(pg::Transaction& transaction, std::vector<Click> clicks,
                            std::map<model::Uuid, CampaignCounters>& by_organization);

}  // namespace parley::conversations::engagement
