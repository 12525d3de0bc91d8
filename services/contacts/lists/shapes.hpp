#pragma once
#include <boost/describe/class.hpp>

#include "common/model/list.hpp"

namespace parley::contacts::lists {

// The body of POST /api/lists.
struct CreateList {
  std::string name;
  std::optional<std::string> description;
  std::optional<std::vector<std::string>> tags;  // each a tag's id, or else a label
  std::optional<std::vector<std::string>> contactIds;
};
BOOST_DESCRIBE_STRUCT(CreateList, (), (name, description, tags, contactIds))

// The same, checked: no id and no label twice.
struct NewList {
  std::string name;
  std::string description;
  std::vector<std::string> tags;
  std::vector<model::Uuid> contact_ids;  // sorted
};

struct ListAnswer {
  model::List list;
};
BOOST_DESCRIBE_STRUCT(ListAnswer, (), (list))

}  // namespace parley::contacts::lists
