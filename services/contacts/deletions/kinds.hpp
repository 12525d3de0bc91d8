#pragma once
#include "common/removals/worker.hpp"

namespace parley::contacts::deletions {

// What this service removes in the background: the memberships of a list, the contacts' rows of a tag, everything of an
// organization.
std::vector<removals::Kind> kinds();

}  // namespace parley::contacts::deletions
