#pragma once
#include "conversations/retargets/shapes.hpp"

namespace parley::conversations::retargets {

// What is asked for, checked; what is wrong with it is one Problem 400. Contacts takes such a list.
Criteria check(RetargetBody body);

}  // namespace parley::conversations::retargets
