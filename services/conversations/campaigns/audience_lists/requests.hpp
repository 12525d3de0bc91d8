#pragma once
#include "conversations/campaigns/audience_lists/shapes.hpp"

namespace parley::conversations::audience_lists {

// What is asked for, checked; what is wrong with it is one Problem 400. Contacts takes such a list.
Criteria check(RetargetBody body);

}  // namespace parley::conversations::audience_lists
