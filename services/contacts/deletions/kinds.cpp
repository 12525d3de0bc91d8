#include "contacts/deletions/kinds.hpp"

#include "common/removals/organizations.hpp"
#include "contacts/deletions/sql.hpp"
#include "contacts/lists/sql.hpp"

namespace parley::contacts::deletions {

std::vector<removals::Kind> kinds() {
  return {
      // Who deletes a contact meanwhile still counts it out of the list.
      {.name = "list", .steps = {&sql::memberships_of_list}, .last = {&lists::sql::delete_tally}},
      {.name = "tag", .steps = {&sql::contact_tags_of_tag}},
      // What points to others comes before them, so that nothing cascades to more rows than a step may take.
      removals::organizations({&sql::memberships, &sql::contact_tags, &sql::list_tags, &sql::list_campaigns,
                               &sql::lists, &sql::tags, &sql::contacts, &sql::import_chunks, &sql::imports,
                               &sql::tallies, &sql::quotas, &sql::kept_answers}),
  };
}

}  // namespace parley::contacts::deletions
