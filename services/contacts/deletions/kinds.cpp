#include "contacts/deletions/kinds.hpp"

#include "common/removals/organizations.hpp"
#include "common/removals/tables.hpp"
#include "contacts/activity/sql.hpp"
#include "contacts/lists/sql.hpp"

namespace parley::contacts::deletions {

namespace {

constexpr auto kPrefix = "contacts.deletions";

const removals::Tables of_list(kPrefix, {{"memberships_of_list", "membership", "list_id"}});
const removals::Tables of_tag(kPrefix, {{"contact_tags_of_tag", "contact_tag", "tag_id"}});
const removals::Tables of_attribute(kPrefix, {{"values_of_attribute", "attribute_value", "attribute_id"}});
const removals::Tables of_campaign(kPrefix, {{"recipients_of_campaign", "campaign_recipient", "campaign_id"}});
// Referencing tables come first, so that no cascade deletes more rows than a step may.
const removals::Tables of_organization(kPrefix, {{"memberships", "membership"},
                                                 {"contact_tags", "contact_tag"},
                                                 {"list_tags", "list_tag"},
                                                 {"list_campaigns", "list_campaign"},
                                                 {"lists", "list"},
                                                 {"tags", "tag"},
                                                 // A segment that is left would have its attributes indexed again, and
                                                 // an index its values filled in.
                                                 {"segments", "segment"},
                                                 {"indexed_attributes", "indexed_attribute"},
                                                 {"attribute_values", "attribute_value"},
                                                 // Writers lock it with lists and tags, and the tally last.
                                                 {"catalogue_versions", "catalogue_version"},
                                                 {"former_users", "former_channel_user"},
                                                 {"activities", "contact_activity"},
                                                 {"recipients", "campaign_recipient"},
                                                 {"known_campaigns", "campaign_known"},
                                                 {"merged_contacts", "merged_contact"},
                                                 {"activity_versions", "activity_version"},
                                                 {"contacts", "contact"},
                                                 {"import_chunks", "import_chunk"},
                                                 {"import_failed_rows", "import_failed"},
                                                 {"imports", "import"},
                                                 {"bulk_changes", "bulk_change"},
                                                 {"tallies", "tally"},
                                                 {"quotas", "quota"},
                                                 {"quota_levels", "quota_level"},
                                                 {"kept_answers", "idempotency"}});

// Each step changes what segments find.
std::vector<removals::Step> steps_of_campaign() {
  auto out = of_campaign.steps();
  for (auto& step : out)
    step.then = [](const removals::Removal& removal, const pg::Results&) {
      return pg::Batch(activity::sql::raise_old_version, removal.organization_id);
    };
  return out;
}

}  // namespace

std::vector<removals::Kind> kinds() {
  return {
      // The tally goes last: deletions of contacts still decrement it while memberships remain.
      {.name = "list", .steps = of_list.steps(), .last = {&lists::sql::delete_tally}},
      {.name = "tag", .steps = of_tag.steps()},
      // The index of one. Transactions may keep its values that do not know yet that it is gone.
      {.name = "attribute", .steps = of_attribute.steps(), .min_age = std::chrono::minutes(2)},
      // What its recipients did, once that is old; the campaign itself is in conversations.
      {.name = "campaign", .steps = steps_of_campaign()},
      removals::organizations(of_organization.steps()),
  };
}

}  // namespace parley::contacts::deletions
