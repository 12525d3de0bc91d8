#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/page.hpp"
#include "conversations/channel/notices/shapes.hpp"

namespace parley::conversations::templates {

// A message template of the channel's. Once approved, it is accepted at any time.
struct Template {
  std::string uniqueId;  // the channel's; `id` is the same
  std::string id;
  std::string name;
  std::string language;
  std::string category;
  std::string status;
  std::string statusReason;   // the reason of a refusal; "" if none was given
  std::string quality;        // GREEN, YELLOW, RED, UNKNOWN
  model::RawJson components;  // in the channel's format
};
BOOST_DESCRIBE_STRUCT(Template, (), (uniqueId, id, name, language, category, status, statusReason, quality, components))

// The number accepts no messages because of an error that the channel returned.
struct SendingStopped {
  std::int64_t code = 0;
  std::string text;
  std::optional<model::Timestamp> until;  // null: until somebody intervenes
};
BOOST_DESCRIBE_STRUCT(SendingStopped, (), (code, text, until))

struct PhoneNumber {
  std::string uniqueId;  // the channel's; `id` is the same
  std::string id;
  std::string displayPhoneNumber;
  std::string verifiedName;
  std::string qualityRating;
  std::string throughput;
  std::optional<std::string> messagingLimit;  // see channel::PhoneNumber; null if unknown
  bool registered = false;
  std::optional<SendingStopped> sendingStopped;
};
BOOST_DESCRIBE_STRUCT(PhoneNumber, (),
                      (uniqueId, id, displayPhoneNumber, verifiedName, qualityRating, throughput, messagingLimit,
                       registered, sendingStopped))

enum class SortBy { name };
BOOST_DESCRIBE_ENUM(SortBy, name)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<std::string> status, name, language, category;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by, status, name, language, category))

// The last row of the previous page.
struct PageCursor {
  std::string name, language, id;
};

struct Filter : http::PageFilter<SortBy> {
  std::optional<std::string> status{}, name{}, language{}, category{};
  std::optional<PageCursor> place{};  // the decoded cursor
};

struct Page {
  std::vector<Template> templates;
  std::int64_t total = 0;
};

struct PageResponse {
  std::vector<Template> templates;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (templates, paginationMeta))

struct TemplateResponse {
  Template messageTemplate;
};
BOOST_DESCRIBE_STRUCT(TemplateResponse, (), (messageTemplate))

struct PhoneNumbersResponse {
  std::vector<PhoneNumber> phoneNumbers;  // all of them
  std::vector<notices::Notice> notices;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PhoneNumbersResponse, (), (phoneNumbers, notices, paginationMeta))

}  // namespace parley::conversations::templates
