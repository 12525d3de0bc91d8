#pragma once
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::conversations {

// Throws one Problem 400 for all faults.
Filter read_filter(const ListQuery& query);

}  // namespace parley::conversations::conversations
