#pragma once
#include <boost/describe/class.hpp>
#include <vector>

#include "common/model/uuid.hpp"

namespace parley::contacts::segments {

struct KnownRow {
  std::vector<model::Uuid> tag_ids, list_ids;  // sorted
};
BOOST_DESCRIBE_STRUCT(KnownRow, (), (tag_ids, list_ids))

}  // namespace parley::contacts::segments
