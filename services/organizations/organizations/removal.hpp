#pragma once
#include "common/removals/worker.hpp"

namespace parley::organizations::organizations {

// How the rows of a deleted organization are removed, its own last.
removals::Kind removal_of_organizations();

}  // namespace parley::organizations::organizations
