#pragma once
// What the body of a webhook holds, in entries and changes: messages, statuses and others, elements here, each of
// which is applied or parked apart from the others. Read leniently: whatever is not as documented is made the best of,
// since the sender can only send it again as it is.
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

namespace parley::conversations::webhooks {

// Who sent something, as far as it says. One of phone and user_id is there.
struct Sender {
  std::string phone;         // with its plus
  std::string user_id;       // the channel's id of a user, who may have no number
  std::string name;          // that they go by
  std::string former_phone;  // whose number it was before it changed
};

struct InboundMessage {
  std::string channel_id;  // "" for one that came without
  std::string key;         // what tells it from others
  model::Timestamp at;
  model::MessageType type = model::MessageType::Unsupported;
  boost::json::object data;
  std::string refers_to;  // the channel's id of what it answers or reacts to
  std::string word, other_word;
};

// An edit, or without a type what takes the message back.
struct Alteration {
  std::string target;  // the channel's id of the message
  std::optional<model::MessageType> type;
  std::string data;
  model::Timestamp at;
};

struct StatusReport {
  std::string channel_id;
  std::optional<model::Uuid> message_id;  // that we had sent with the message
  model::MessageStatus status = model::MessageStatus::Sent;
  model::Timestamp at;
  std::optional<std::int64_t> error_code;
  std::string error_text;
};

// A setting of the user's: whether they want campaigns.
struct Preference {
  bool opted_out = false;
  model::Timestamp at;
};

// What became of a template at the channel.
struct TemplateReport {
  std::string business_account_id, template_id;
  std::string status, reason;  // without a status something else about it changed
};

// Where an element stands in its body, which outlives it.
struct ElementLocation {
  const boost::json::object* entry = nullptr;
  const boost::json::object* change = nullptr;
  std::string_view list;                        // of the value: messages, statuses ...; "": the change as a whole
  const boost::json::value* item = nullptr;     // of that list
  const boost::json::value* contact = nullptr;  // that tells of its sender
};

struct Element {
  std::string field;                // of the change: messages ...
  std::string kind;                 // message, status, change
  std::string business_account_id;  // that it was sent for; "" where it does not say
  std::string phone_number_id;      // that it came to; likewise
  Sender sender;
  std::variant<std::monostate, InboundMessage, Alteration, StatusReport, Preference, TemplateReport> what;
  std::string fault;  // why it cannot be applied, ever; "" if it can
  ElementLocation place;

  bool has_sender() const { return !sender.phone.empty() || !sender.user_id.empty(); }
};

struct Payload {
  std::unique_ptr<boost::json::value> document;
  std::vector<Element> elements;           // in their order
  std::map<std::string, int> passed_over;  // what is of no interest here, by its kind
};

// Reads a body that was received at that time, later than which nothing in it happened. nullopt with a word about why
// when there is nothing to be made of it.
std::optional<Payload> read_payload(std::string_view body, model::Timestamp received_at, std::string& fault);

// A body with only this element in it, which reads as it does.
std::string enclose(const ElementLocation& place);

}  // namespace parley::conversations::webhooks
