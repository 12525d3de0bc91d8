#pragma once
#include <map>

#include "common/pg/batch.hpp"

namespace parley::contacts::lists {

// Appends the change in contacts and in members by list; the last statements of a transaction. Every change that a
// filter of contacts, lists or tags can see must call this, even with zeros: it raises the organization's version. Lock
// order: list ids, the organization's (nil) first.
void add_to_tallies(pg::Batch& batch, const model::Uuid& organization, std::int64_t contacts,
                    const std::map<model::Uuid, std::int64_t>& members = {});

}  // namespace parley::contacts::lists
