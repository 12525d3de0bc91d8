#pragma once
#include "common/http/problem.hpp"
#include "common/identity/permission.hpp"
#include "contacts/bulk/shapes.hpp"
#include "contacts/contacts/shapes.hpp"
#include "contacts/segments/filter.hpp"

namespace parley::contacts::bulk {

struct Filter : http::CreationFilter {
  std::optional<Status> status;
};

// Validate requests; throw a Problem 400 that names each fault.
Filter check(const ListQuery& query);
// Returns the tags and lists that are named by id in the selection's filter, and lists elsewhere.
segments::AllNamed check(const StartBody& body);

// What the action needs beside the permission to read contacts.
identity::Permission permission_for(ActionType type);

// The filter of a stored selection, but for its segment: that is its `filter`.
contacts::Filter filter_of(const Selection& selection);

}  // namespace parley::contacts::bulk
