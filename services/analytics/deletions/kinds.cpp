#include "analytics/deletions/kinds.hpp"

#include "analytics/deletions/sql.hpp"
#include "common/removals/organizations.hpp"

namespace parley::analytics::deletions {

std::vector<removals::Kind> kinds() {
  return {removals::organizations({&sql::campaign_rollups, &sql::organization_rollups, &sql::message_rollups,
                                   &sql::contact_rollups, &sql::campaigns})};
}

}  // namespace parley::analytics::deletions
