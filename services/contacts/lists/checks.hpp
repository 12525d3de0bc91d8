#pragma once
#include "common/contracts/contacts.hpp"
#include "contacts/lists/shapes.hpp"

namespace parley::contacts::lists {

// Validate requests; throw a Problem 400 that names each fault.
Filter check(const ListQuery& query);
NewList check(CreateList body);
UpdateList check(UpdateList body);
MemberChanges check(const UpdateMembers& body);
NewList check(contracts::contacts::MakeList body);
std::vector<model::Uuid> check(contracts::contacts::AddContacts body);  // sorted, without duplicates

// The sort key of a page's last list, for the cursor.
std::string sorted_by(const model::List& list, SortBy sort_by);

}  // namespace parley::contacts::lists
