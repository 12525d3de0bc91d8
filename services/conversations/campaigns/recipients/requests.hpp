#pragma once
#include "conversations/campaigns/recipients/shapes.hpp"

namespace parley::conversations::recipients {

// What is asked for, checked; what is wrong with it is one Problem 400.
Filter check(const model::Uuid& campaign, const ListQuery& query);

// The link to the page that begins there.
std::string link_to(const http::Request& request, const model::Uuid& campaign, const Filter& filter,
                    const PageCursor& place);

}  // namespace parley::conversations::recipients
