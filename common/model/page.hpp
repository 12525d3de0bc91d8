#pragma once
#include <boost/describe/class.hpp>
#include <cstdint>

namespace parley::model {

// The position of a page among all records that match the filters.
struct PaginationMeta {
  std::int64_t page = 1;  // skip / per_page + 1
  std::int64_t per_page = 20;
  std::int64_t total = 0;
};
BOOST_DESCRIBE_STRUCT(PaginationMeta, (), (page, per_page, total))

}  // namespace parley::model
