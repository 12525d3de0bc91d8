#pragma once
// Parses a webhook's body into elements (messages, statuses and others), which are applied or parked one by one.
// Lenient: the channel can only send the same again.
#include <boost/json/object.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/model/message.hpp"
#include "common/model/timestamp.hpp"
#include "conversations/channel/notices/shapes.hpp"
#include "conversations/channel/templates/report.hpp"

namespace parley::conversations::webhooks {

// A sender, as far as given. Has a phone or a user_id.
struct Sender {
  std::string phone;             // with its plus
  std::string user_id;           // the channel's id of a user, who may have no number
  std::string name;              // display name
  std::string former_phone;      // the number before a change
  std::string former_user_id{};  // the id before a change
};

// A message of a user to the organization, or one of the organization that was not sent from here.
struct InboundMessage {
  std::string channel_id;  // "" if missing
  std::string key;         // identifies the message
  model::Timestamp at;
  model::MessageType type = model::MessageType::Unsupported;
  boost::json::object data;
  std::string refers_to;  // the channel's id of the message replied or reacted to
  std::string word, other_word;
  // OutBound: sent from the phone's app. The `sender` of the element is its recipient.
  model::MessageDirection direction = model::MessageDirection::InBound;
  model::MessageStatus status = model::MessageStatus::Sent;  // of an outbound one
  bool is_old = false;    // of the app's history: nobody is told, and it is not unread
  bool is_later = false;  // completes an earlier one of the same key: the end of a call, a medium of the history
};

// An edit; without a type, a revocation.
struct Alteration {
  std::string target;  // the channel's id of the message
  std::optional<model::MessageType> type;
  std::string data;
  model::Timestamp at;
  model::MessageDirection direction = model::MessageDirection::InBound;  // of the message
};

struct StatusReport {
  std::string channel_id;
  std::optional<model::Uuid> message_id;  // sent with each message and returned with its statuses
  bool is_marked = false;                 // has such data of another program instead
  model::MessageStatus status = model::MessageStatus::Sent;
  model::Timestamp at;
  std::optional<std::int64_t> error_code;
  std::string error_text;
};

// A user's setting for campaigns.
struct Preference {
  bool opted_out = false;
  model::Timestamp at;
};

// An element's place in its body, which must outlive it.
struct ElementLocation {
  const boost::json::object* entry = nullptr;
  const boost::json::object* change = nullptr;
  std::string_view list;                        // within the value: messages, statuses ...; "": the whole change
  const boost::json::value* item = nullptr;     // within the list
  const boost::json::value* contact = nullptr;  // describes the sender
  const boost::json::object* thread = nullptr;  // of the history, which has the list
};

struct Element {
  std::string field;                // of the change: messages ...
  std::string kind;                 // message, status, change, group: a message in a group
  std::string business_account_id;  // the addressed account; "" if missing
  std::string phone_number_id;      // the addressed number; "" if missing
  Sender sender;
  std::variant<std::monostate, InboundMessage, Alteration, StatusReport, Preference, templates::Report, notices::News>
      what;
  std::string fault;  // why it can never be applied; "" if it can
  ElementLocation place;

  bool has_sender() const { return !sender.phone.empty() || !sender.user_id.empty(); }
};

struct Payload {
  std::unique_ptr<boost::json::value> document;
  std::vector<Element> elements;           // in order
  std::map<std::string, int> passed_over;  // ignored content, by kind
};

// Reads a body received at `received_at`, which caps all times in it. nullopt with `fault` set if it is unusable.
std::optional<Payload> read_payload(std::string_view body, model::Timestamp received_at, std::string& fault);

// A body with only this element, which parses to the same element.
std::string enclose(const ElementLocation& place);

}  // namespace parley::conversations::webhooks
