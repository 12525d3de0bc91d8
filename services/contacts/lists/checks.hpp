#pragma once
#include "contacts/lists/shapes.hpp"

namespace parley::contacts::lists {

// What was asked for, checked; what is wrong with it is a Problem 400 that names each place.
Filter check(const ListQuery& query);
NewList check(CreateList body);
UpdateList check(UpdateList body);
MemberChanges check(const UpdateMembers& body);

// Where a page of this filter ended.
std::string cursor_after(const model::List& last, const Filter& filter);

}  // namespace parley::contacts::lists
