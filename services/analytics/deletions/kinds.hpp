#pragma once
#include "common/removals/worker.hpp"

namespace parley::analytics::deletions {

// What this service removes in the background: everything of an organization. What is told of one later is not counted,
// see the rollups.
std::vector<removals::Kind> kinds();

}  // namespace parley::analytics::deletions
