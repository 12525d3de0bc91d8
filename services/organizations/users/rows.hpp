#pragma once
#include <boost/describe/class.hpp>

#include "common/model/json.hpp"

namespace parley::organizations::users {

struct AccountRow {
  model::Uuid id;
  std::optional<std::string> password_hash;
};
BOOST_DESCRIBE_STRUCT(AccountRow, (), (id, password_hash))

}  // namespace parley::organizations::users
