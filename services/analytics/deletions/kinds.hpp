#pragma once
#include "common/removals/tables.hpp"

namespace parley::analytics::deletions {

// Background removal of an organization's rows. Its later events are not counted; see the rollups.
std::vector<removals::Kind> kinds();

// The tables that each feed fills.
extern const removals::Tables from_conversations;
extern const removals::Tables from_contacts;

}  // namespace parley::analytics::deletions
