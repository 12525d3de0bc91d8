#pragma once
#include <vector>

#include "conversations/messages/search/shapes.hpp"
#include "conversations/messages/search/terms.hpp"

namespace parley::conversations::search {

// Where a message has what was sought: at most three parts of its texts, as they are, with some words around each. Of a
// text that is compared otherwise here than in the database, which only rare characters lead to, nothing is shown.
std::vector<Fragment> highlights_of(const model::Message& message, const std::vector<Sought>& sought);

}  // namespace parley::conversations::search
