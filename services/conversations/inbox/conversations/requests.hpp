#pragma once
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::conversations {

// The parameters of GET /api/conversations, checked; what is wrong with them is one Problem 400.
Filter read_filter(const ListQuery& query);

}  // namespace parley::conversations::conversations
