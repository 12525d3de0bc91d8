#pragma once
#include "common/removals/worker.hpp"

namespace parley::contacts::deletions {

std::vector<removals::Kind> kinds();

}  // namespace parley::contacts::deletions
