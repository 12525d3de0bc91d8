#pragma once
#include "conversations/dispatch/shapes.hpp"

namespace parley::conversations::dispatch {

// Results that are committed together, as many as fit a transaction.

bool is_empty(const Record& record);
// Takes out the first `most` results. Ended chunks go with the last ones.
Record first_of(Record& all, std::size_t most);
void put_in_front(Record front, Record& all);
void add_to(Record& all, Record more);

}  // namespace parley::conversations::dispatch
