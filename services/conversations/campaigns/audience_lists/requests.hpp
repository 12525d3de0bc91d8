#pragma once
#include "conversations/campaigns/audience_lists/shapes.hpp"

namespace parley::conversations::audience_lists {

// Checks the body by the limits that contacts has for lists; throws one Problem 400 with all faults.
Criteria check(RetargetBody body);

}  // namespace parley::conversations::audience_lists
