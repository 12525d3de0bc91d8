#include "analytics/deletions/kinds.hpp"

#include "common/removals/organizations.hpp"

namespace parley::analytics::deletions {

const removals::Tables from_conversations("analytics.deletions", {{"campaign_rollups", "campaign_rollup"},
                                                                  {"organization_rollups", "organization_rollup"},
                                                                  {"message_rollups", "message_rollup"},
                                                                  {"campaigns", "campaign"}});
const removals::Tables from_contacts("analytics.deletions", {{"contact_rollups", "contact_rollup"}});

std::vector<removals::Kind> kinds() {
  return {removals::organizations(from_conversations.steps(from_contacts.steps()))};
}

}  // namespace parley::analytics::deletions
