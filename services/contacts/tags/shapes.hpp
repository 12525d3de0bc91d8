#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/list.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"

namespace parley::contacts::tags {

inline constexpr std::size_t kMaxLabelCharacters = 255;

using VersionedTag = model::Versioned<model::Tag>;

enum class SortBy { createdAt, label };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, label)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))

using Filter = http::PageFilter<SortBy>;

struct CreateTag {
  std::string label;
};
BOOST_DESCRIBE_STRUCT(CreateTag, (), (label))

// The body of POST /api/tags/{id}; absent values stay unchanged.
struct UpdateTag {
  std::optional<std::string> label;
};
BOOST_DESCRIBE_STRUCT(UpdateTag, (), (label))

struct TagResponse {
  model::Tag tag;
};
BOOST_DESCRIBE_STRUCT(TagResponse, (), (tag))

struct PageResponse {
  std::vector<model::Tag> tags;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (tags, paginationMeta))

}  // namespace parley::contacts::tags
