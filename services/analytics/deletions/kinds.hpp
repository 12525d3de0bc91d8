#pragma once
#include "common/removals/tables.hpp"

namespace parley::analytics::deletions {

// What this service removes in the background: everything of an organization. What is told of one later is not counted,
// see the rollups.
std::vector<removals::Kind> kinds();

// The rows of an organization that each of these feeds is told by.
extern const removals::Tables from_conversations;
extern const removals::Tables from_contacts;

}  // namespace parley::analytics::deletions
