#pragma once
#include "common/contracts/contacts.hpp"

namespace parley::conversations::audience {

using contracts::contacts::Draws;

// A campaign's draws, which give each contact a variant. They depend on nothing but the two ids, so that a count before
// the start is what the start gathers.
Draws draws_of(const model::Uuid& campaign);

// As contacts computes it.
std::int64_t draw(const Draws& draws, const model::Uuid& contact);

}  // namespace parley::conversations::audience
