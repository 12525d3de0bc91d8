#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>

#include "common/events/conversation_changes.hpp"

namespace parley::conversations::notices {

// A part of GET /api/organization/phone-numbers.
struct Notice {
  model::Uuid uniqueId;
  model::Timestamp at;
  std::string kind, event;
  events::NoticeSeverity severity = events::NoticeSeverity::Information;
  std::string detail;
  std::optional<std::string> phoneNumber;
  model::RawJson data;
};
BOOST_DESCRIBE_STRUCT(Notice, (), (uniqueId, at, kind, event, severity, detail, phoneNumber, data))

// What the channel told of an account.
struct News {
  std::string key;  // the same when it comes again
  model::Timestamp at;
  std::string business_account_id;
  std::optional<std::string> phone_number;
  std::string kind;   // the webhook's field: account_update, account_alerts ... errors
  std::string event;  // the channel's word; "" for none
  events::NoticeSeverity severity = events::NoticeSeverity::Information;
  std::string detail;
  std::string data;  // JSON
};

}  // namespace parley::conversations::notices
