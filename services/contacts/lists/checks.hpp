#pragma once
#include "common/contracts/contacts.hpp"
#include "contacts/lists/shapes.hpp"

namespace parley::contacts::lists {

// What was asked for, checked; what is wrong with it is a Problem 400 that names each place.
Filter check(const ListQuery& query);
NewList check(CreateList body);
UpdateList check(UpdateList body);
MemberChanges check(const UpdateMembers& body);
NewList check(contracts::contacts::MakeList body);
std::vector<model::Uuid> check(contracts::contacts::AddContacts body);  // sorted, no id twice

// What a page that ends with this list is sorted by there, for its cursor.
std::string sorted_by(const model::List& list, SortBy sort_by);

}  // namespace parley::contacts::lists
