#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/list.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"

namespace parley::contacts::lists {

inline constexpr std::int64_t kMaxListsOfContact = 100;

// The version covers name, description, tags and members.
using VersionedList = model::Versioned<model::List>;

enum class SortBy { createdAt, name, numberOfContacts };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name, numberOfContacts)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<std::string> tag;  // its id, or else its label
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by, tag))

struct Filter : http::PageFilter<SortBy> {
  std::optional<std::string> tag;
};

struct CreateList {
  std::string name;
  std::optional<std::string> description;
  std::optional<std::vector<std::string>> tags;  // each a tag's id, or else a label
  std::optional<std::vector<std::string>> contactIds;
};
BOOST_DESCRIBE_STRUCT(CreateList, (), (name, description, tags, contactIds))

// A validated CreateList without duplicate ids and labels.
struct NewList {
  std::string name;
  std::string description;
  std::vector<std::string> tags;
  std::vector<model::Uuid> contact_ids;  // sorted
  model::Uuid id = model::new_uuid();
};

// The body of POST /api/lists/{id}; absent values stay unchanged.
struct UpdateList {
  std::optional<std::string> name, description;
  std::optional<std::vector<std::string>> tags;
};
BOOST_DESCRIBE_STRUCT(UpdateList, (), (name, description, tags))

// The body of POST /api/lists/{id}/contacts.
struct UpdateMembers {
  std::optional<std::vector<std::string>> add, remove;
};
BOOST_DESCRIBE_STRUCT(UpdateMembers, (), (add, remove))

// Validated: sorted, without duplicates, disjoint.
struct MemberChanges {
  std::vector<model::Uuid> add, remove;
};

struct ListResponse {
  model::List list;
};
BOOST_DESCRIBE_STRUCT(ListResponse, (), (list))

struct PageResponse {
  std::vector<model::List> lists;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (lists, paginationMeta))

}  // namespace parley::contacts::lists
