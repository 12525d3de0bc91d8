#pragma once
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::conversations {

// The parameters of GET /api/conversations, checked; what is wrong with them is one Problem 400.
Filter read_filter(const ListQuery& query);

// Those of `1,2,3`, at most 100; what is wrong is added to the faults.
std::vector<model::Uuid> read_ids(std::string_view parameter, std::string_view text, http::Faults& faults);

}  // namespace parley::conversations::conversations
