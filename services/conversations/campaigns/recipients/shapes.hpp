#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/csv.hpp"
#include "common/model/page.hpp"

namespace parley::conversations::recipients {

// The outcome for a recipient: exactly one of these. A campaign's progress counts them.
enum class State { Pending, Skipped, Sent, Delivered, Read, Failed, UnDelivered, InDoubt };
BOOST_DESCRIBE_ENUM(State, Pending, Skipped, Sent, Delivered, Read, Failed, UnDelivered, InDoubt)

// The parameters of GET /api/campaigns/{id}/recipients.
struct ListQuery : http::OfOrganization {
  std::optional<std::int64_t> skip, page, per_page, limit;
  std::optional<std::string> cursor;
  std::optional<State> state;
  std::optional<std::string> variant, reason;
  std::optional<std::string> format;  // json, csv or csv-raw
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::OfOrganization),
                      (skip, page, per_page, limit, cursor, state, variant, reason, format))

struct PageCursor {
  std::int64_t after = 0;             // an ordinal
  std::int64_t skip = 0;              // matching recipients to skip behind it
  std::optional<std::int64_t> total;  // as counted by an earlier page
};

// The checked parameters.
struct Filter {
  http::Paging paging;
  PageCursor place;
  std::optional<State> state;
  std::optional<std::string> variant;  // "": the campaign's own message
  std::optional<std::string> reason;
  std::optional<model::CsvCells> csv;  // exports all as a file
};

struct Recipient {
  model::Uuid contactId;
  std::string phone;                   // "" for a channel user without a number
  std::optional<std::string> variant;  // null: the campaign's own message
  State state = State::Pending;
  std::optional<std::string> reason;  // Skipped: why; Failed, UnDelivered: the channel's code, "unknown" or "NotSent"
  std::optional<std::string> reasonText;
  std::optional<model::Uuid> messageId, conversationId;
  std::optional<model::Timestamp> sentAt, statusAt, repliedAt, clickedAt;
};
BOOST_DESCRIBE_STRUCT(Recipient, (),
                      (contactId, phone, variant, state, reason, reasonText, messageId, conversationId, sentAt,
                       statusAt, repliedAt, clickedAt))

struct PageResponse {
  std::vector<Recipient> recipients;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (recipients, paginationMeta))

}  // namespace parley::conversations::recipients
