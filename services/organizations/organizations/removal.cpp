#include "organizations/organizations/removal.hpp"

#include "organizations/organizations/removal/sql.hpp"

namespace parley::organizations::organizations {

// What refers to a row is removed before it, so that few rows go with another.
removals::Kind removal_of_organizations() {
  return {.name = "organization",
          .steps = {&removal::phone_directory, &removal::account, &removal::account_setup, &removal::invite_role,
                    &removal::invite, &removal::credential, &removal::member_role, &removal::member, &removal::role,
                    &removal::idempotency, &removal::quota, &removal::audit},
          .last = {&removal::organization}};
}

}  // namespace parley::organizations::organizations
