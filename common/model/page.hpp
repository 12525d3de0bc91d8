#pragma once
#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace parley::model {

// The position of a page among all records that match the filters.
struct PaginationMeta {
  std::int64_t page = 1;  // skip / per_page + 1
  std::int64_t per_page = 20;
  std::int64_t total = 0;
  std::optional<std::string> nextCursor{};  // null: this is the last page
};
BOOST_DESCRIBE_STRUCT(PaginationMeta, (), (page, per_page, total, nextCursor))

// The same where nothing is counted.
struct CursorMeta {
  std::int64_t per_page = 20;
  std::optional<std::string> nextCursor{};
};
BOOST_DESCRIBE_STRUCT(CursorMeta, (), (per_page, nextCursor))

}  // namespace parley::model
