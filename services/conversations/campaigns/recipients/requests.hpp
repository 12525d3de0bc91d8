#pragma once
#include "conversations/campaigns/recipients/shapes.hpp"

namespace parley::conversations::recipients {

// Checks the query; throws one Problem 400 with all faults.
Filter check(const model::Uuid& campaign, const ListQuery& query);

std::string cursor_to(const model::Uuid& campaign, const Filter& filter, const PageCursor& place);

}  // namespace parley::conversations::recipients
