#pragma once
#include <boost/describe/class.hpp>

#include "common/http/etag.hpp"
#include "contacts/lists/shapes.hpp"

namespace parley::contacts::lists {

struct ListRow : model::List {
  std::vector<model::Uuid> tag_ids;
  std::vector<std::string> tag_labels;  // parallel to tag_ids
};
BOOST_DESCRIBE_STRUCT(ListRow, (model::List), (tag_ids, tag_labels))

inline model::List to_list(ListRow row) {
  for (std::size_t i = 0; i < row.tag_ids.size(); ++i)
    row.tags.push_back({std::move(row.tag_labels[i]), row.tag_ids[i]});
  return std::move(row);
}

inline VersionedList to_list(model::Versioned<ListRow> row) {
  http::add_to_version(row.version, row.tag_ids);
  auto version = std::move(row.version);
  return {to_list(static_cast<ListRow&&>(row)), std::move(version)};
}

struct VersionRow {
  std::int64_t version = 0;
  std::string epoch;
};
BOOST_DESCRIBE_STRUCT(VersionRow, (), (version, epoch))

struct CountRow {
  std::int64_t version = 0;
  std::string epoch;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(CountRow, (), (version, epoch, count))

}  // namespace parley::contacts::lists
