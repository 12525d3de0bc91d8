#include "organizations/organizations/removal.hpp"

#include "common/removals/tables.hpp"
#include "organizations/organizations/removal/sql.hpp"

namespace parley::organizations::organizations {

namespace {

// Referencing tables come first, so that cascades delete few rows.
const removals::Tables tables("organizations.organizations.removal", {{"phone_directory"},
                                                                      {"account"},
                                                                      {"account_setup"},
                                                                      {"invite_role"},
                                                                      {"invite"},
                                                                      {"credential"},
                                                                      {"member_role"},
                                                                      {"member"},
                                                                      {"role"},
                                                                      {"idempotency"},
                                                                      {"quota"},
                                                                      {"quota_level"},
                                                                      {"audit"}});

}  // namespace

removals::Kind removal_of_organizations() {
  return {.name = "organization", .steps = tables.steps(), .last = {&removal::organization}};
}

}  // namespace parley::organizations::organizations
