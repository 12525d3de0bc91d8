#pragma once
#include <boost/describe/class.hpp>

#include "common/model/list.hpp"

namespace parley::contacts::tags {

struct NamedRow {
  std::string name;
  model::Uuid id;
};
BOOST_DESCRIBE_STRUCT(NamedRow, (), (name, id))

struct CountRow {
  std::int64_t version = 0;
  std::string epoch;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(CountRow, (), (version, epoch, count))

}  // namespace parley::contacts::tags
