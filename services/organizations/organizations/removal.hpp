#pragma once
#include "common/removals/worker.hpp"

namespace parley::organizations::organizations {

// Removes the rows of a deleted organization, its own row last.
removals::Kind removal_of_organizations();

}  // namespace parley::organizations::organizations
