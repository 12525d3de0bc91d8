#include "common/removals/organizations.hpp"

#include "common/events/changes.hpp"
#include "common/events/organization_changes.hpp"
#include "common/removals/sql.hpp"

namespace parley::removals {

namespace {
constexpr auto kOrganization = "organization";
}

awaitable<void> apply_organizations(pg::Transaction& transaction, std::span<const events::Event> events) {
  pg::Batch batch;
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event))
      if (const auto deleted = change.as<events::OrganizationDeleted>()) {
        const auto& id = deleted->organizationId;
        batch.add(sql::begin, id, kOrganization, std::vector<model::Uuid>{id});
      }
  if (!batch.empty()) co_await transaction.run(std::move(batch));
}

awaitable<void> forget_nothing(pg::Transaction&) { co_return; }

Kind organizations(std::vector<Step> steps) {
  return {.name = kOrganization, .steps = std::move(steps), .min_age = std::chrono::minutes(2), .keep = true};
}

}  // namespace parley::removals
