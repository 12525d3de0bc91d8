#pragma once
#include <map>

#include "common/pg/batch.hpp"

namespace parley::contacts::lists {

// Adds to a transaction's last batch, as its last statements, what the transaction changed in numbers: contacts made
// (or, negative, deleted), and members by list. Whoever changes anything that a filter of contacts, lists or tags can
// see adds at least the zeros, as that raises the organization's version. Rows are touched in one order: by list id,
// the nil one, which is the organization, first.
void add_to_tallies(pg::Batch& batch, const model::Uuid& organization, std::int64_t contacts,
                    const std::map<model::Uuid, std::int64_t>& members = {});

}  // namespace parley::contacts::lists
