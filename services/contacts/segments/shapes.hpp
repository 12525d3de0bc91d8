#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/json.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"
#include "contacts/segments/filter.hpp"

namespace parley::contacts::segments {

struct Segment {
  model::Uuid uniqueId;
  std::string name;
  std::string description;
  model::RawJson filter;
  model::Timestamp createdAt;
};
BOOST_DESCRIBE_STRUCT(Segment, (), (uniqueId, name, description, filter, createdAt))

using VersionedSegment = model::Versioned<Segment>;

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))

using PageFilter = http::PageFilter<SortBy>;

// The bodies of POST /api/segments and of POST /api/segments/{id}; absent values stay unchanged.
struct SegmentBody {
  std::optional<std::string> name, description;
  std::optional<model::RawJson> filter;
};
BOOST_DESCRIBE_STRUCT(SegmentBody, (), (name, description, filter))

// A validated SegmentBody.
struct Changes {
  std::optional<std::string> name, description;
  std::optional<model::RawJson> filter;
  AllNamed named;  // by the filter
};

// The body of POST /api/segments/count.
struct CountBody {
  model::RawJson filter;
};
BOOST_DESCRIBE_STRUCT(CountBody, (), (filter))

struct CountResponse {
  std::int64_t numberOfContacts = 0;
};
BOOST_DESCRIBE_STRUCT(CountResponse, (), (numberOfContacts))

// How many contacts' values of an attribute can be read as what; each counts once.
struct AttributeTypes {
  std::int64_t text = 0, number = 0, date = 0, yesNo = 0, other = 0;
};
BOOST_DESCRIBE_STRUCT(AttributeTypes, (), (text, number, date, yesNo, other))

struct Attribute {
  std::string name;
  std::int64_t numberOfContacts = 0;
  AttributeTypes types;
};
BOOST_DESCRIBE_STRUCT(Attribute, (), (name, numberOfContacts, types))

// Of the newest contacts.
struct AttributesResponse {
  std::vector<Attribute> attributes;
  std::int64_t examinedContacts = 0;
};
BOOST_DESCRIBE_STRUCT(AttributesResponse, (), (attributes, examinedContacts))

struct SegmentResponse {
  Segment segment;
};
BOOST_DESCRIBE_STRUCT(SegmentResponse, (), (segment))

struct PageResponse {
  std::vector<Segment> segments;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (segments, paginationMeta))

}  // namespace parley::contacts::segments
