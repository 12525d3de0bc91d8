#include "conversations/inbox/webhooks/elements.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <utility>

#include "common/identity/api_key.hpp"
#include "common/model/text.hpp"
#include "conversations/inbox/webhooks/content.hpp"

namespace parley::conversations::webhooks {

namespace json = boost::json;
using model::MessageStatus;

namespace {

// Octets.
constexpr std::size_t kMaxReasonLength = 1'000;
constexpr std::size_t kMaxNameLength = 255;

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A phone number from digits with or without a plus; "" for anything else, such as a user's id.
std::string phone_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return is_digits(text) && text.size() >= 3 && text.size() <= 15 ? "+" + std::string(text) : std::string();
}

}  // namespace

model::Timestamp moment_of(const json::object& object, std::string_view key, model::Timestamp latest) {
  constexpr std::int64_t first_in_milliseconds = 100'000'000'000;  // as seconds: the year 5138
  const auto text = text_of(object, key);
  std::int64_t number = 0;
  const auto* const end = text.data() + text.size();
  if (text.empty() || std::from_chars(text.data(), end, number).ptr != end || number <= 0) return latest;
  return std::min(model::Timestamp{number < first_in_milliseconds ? number * 1000 : number}, latest);
}

std::string key_of(const std::string& id, const json::object& message) {
  return id.empty() ? "sha256:" + identity::to_hex(identity::sha256(json::serialize(message))) : id;
}

// ---- senders --------------------------------------------------------------------------------------------------------

Contacts::Contacts(const json::object& value) {
  const auto* contacts = array_of(value, "contacts");
  if (!contacts) return;
  if (contacts->size() == 1) only_ = &contacts->front();
  for (const auto& contact : *contacts)
    if (const auto* object = contact.if_object())
      for (const auto* key : {"wa_id", "user_id"}) by_id_.emplace(text_of(*object, key), &contact);
  by_id_.erase("");
}

const json::value* Contacts::find(const std::string& from, const std::string& user_id) const {
  if (from.empty() && user_id.empty()) return only_ && only_->is_object() ? only_ : nullptr;
  auto found = by_id_.find(from);
  if (found == by_id_.end()) found = by_id_.find(user_id);
  return found == by_id_.end() ? nullptr : found->second;
}

namespace {

void read_sender(const Contacts& contacts, const std::string& from, const std::string& user_id, Element& element) {
  auto& sender = element.sender;
  sender.phone = phone_of(from);
  sender.user_id = user_id;
  if (sender.phone.empty() && sender.user_id.empty()) sender.user_id = from;
  element.place.contact = contacts.find(from, user_id);
  if (!element.place.contact) return;
  const auto& contact = element.place.contact->get_object();
  if (sender.phone.empty()) sender.phone = phone_of(text_of(contact, "wa_id"));
  if (sender.user_id.empty()) sender.user_id = text_of(contact, "user_id");
  if (const auto* profile = object_of(contact, "profile")) {
    sender.name = text_of(*profile, "name");
    if (sender.name.empty()) sender.name = text_of(*profile, "username");
    sender.name.resize(model::first_octets(sender.name, kMaxNameLength).size());
  }
}

// ---- messages -------------------------------------------------------------------------------------------------------

void change_user_id(Sender& sender, std::string former, const std::string& now) {
  if (now.empty()) return;
  if (former.empty()) former = sender.user_id;
  sender.user_id = now;
  if (former != now) sender.former_user_id = std::move(former);
}

// The message comes from the former number or id. A new number brings a new id, too.
// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system/
void read_new_identity(const json::object& message, Sender& sender) {
  const auto* system = object_of(message, "system");
  if (!system) return;
  auto now = phone_of(text_of(*system, "wa_id"));
  if (now.empty()) now = phone_of(text_of(*system, "new_wa_id"));
  if (!now.empty() && now != sender.phone) sender.former_phone = std::exchange(sender.phone, now);
  change_user_id(sender, text_of(*system, "previous_user_id"), text_of(*system, "user_id"));
}

Alteration read_edit(const json::object& message, model::Timestamp at) {
  const auto* edit = object_of(message, "edit");
  const auto* edited = edit ? object_of(*edit, "message") : nullptr;
  if (!edited) return {};
  auto content = read_content(*edited);
  content.data["editedAt"] = at.text();
  return {text_of(*edit, "original_message_id"), content.type, json::serialize(content.data), at};
}

Alteration read_revocation(const json::object& message, model::Timestamp at) {
  const auto* revoke = object_of(message, "revoke");
  const json::object data{{"revoked", true}, {"revokedAt", at.text()}};
  return {revoke ? text_of(*revoke, "original_message_id") : "", {}, json::serialize(data), at};
}

// Where a message comes from, and how it is kept.
struct Origin {
  model::MessageDirection direction = model::MessageDirection::InBound;
  MessageStatus status = MessageStatus::Sent;
  bool is_old = false, is_later = false;
};

void read_content_of(const json::object& message, model::Timestamp latest, const Origin& origin, Element& element) {
  const auto at = moment_of(message, "timestamp", latest);
  const auto type = text_of(message, "type");
  if (!text_of(message, "group_id").empty()) element.kind = "group";
  if (type == "edit" || type == "revoke") {
    auto alteration = type == "edit" ? read_edit(message, at) : read_revocation(message, at);
    if (alteration.target.empty()) element.fault = "the " + type + " does not name its message";
    alteration.direction = origin.direction;
    element.what = std::move(alteration);
    return;
  }
  if (type == "system") read_new_identity(message, element.sender);
  if (!element.has_sender()) element.fault = "the message does not say who sent it";
  auto content = read_content(message);
  const auto id = text_of(message, "id");
  element.what = InboundMessage{.channel_id = id,
                                .key = key_of(id, message),
                                .at = at,
                                .type = content.type,
                                .data = std::move(content.data),
                                .refers_to = std::move(content.refers_to),
                                .word = std::move(content.word),
                                .other_word = std::move(content.other_word),
                                .direction = origin.direction,
                                .status = origin.status,
                                .is_old = origin.is_old,
                                .is_later = origin.is_later};
}

MessageStatus old_status(const json::object& message) {
  const auto* context = object_of(message, "history_context");
  const auto word = context ? text_of(*context, "status") : std::string();
  if (word == "READ" || word == "PLAYED") return MessageStatus::Read;
  if (word == "DELIVERED") return MessageStatus::Delivered;
  return word == "ERROR" ? MessageStatus::UnDelivered : MessageStatus::Sent;
}

bool is_own_number(const json::object& value, const std::string& from) {
  const auto* metadata = object_of(value, "metadata");
  auto own = metadata ? text_of(*metadata, "display_phone_number") : std::string();
  std::erase_if(own, [](char c) { return c < '0' || c > '9'; });
  return !own.empty() && phone_of(from) == "+" + own;
}

}  // namespace

void read_message(const Contacts& contacts, const json::object& message, model::Timestamp latest, Element& element) {
  read_sender(contacts, text_of(message, "from"), text_of(message, "from_user_id"), element);
  read_content_of(message, latest, {}, element);
}

void read_echo(const Contacts& contacts, const json::object& message, model::Timestamp latest, Element& element) {
  read_sender(contacts, text_of(message, "to"), text_of(message, "to_user_id"), element);
  read_content_of(message, latest, {.direction = model::MessageDirection::OutBound}, element);
}

void read_old(const json::object& value, const Contacts& contacts, const json::object& message, model::Timestamp latest,
              Element& element) {
  const auto* thread = element.place.thread;
  const bool is_ours = is_own_number(value, text_of(message, "from"));
  auto user = text_of(message, is_ours ? "to" : "from");
  auto user_id = text_of(message, is_ours ? "to_user_id" : "from_user_id");
  if (const auto* context = thread ? object_of(*thread, "context") : nullptr) {
    if (user.empty()) user = text_of(*context, "wa_id");
    if (user_id.empty()) user_id = text_of(*context, "user_id");
  }
  if (thread && user.empty()) user = text_of(*thread, "id");
  read_sender(contacts, user, user_id, element);
  Origin origin{.status = old_status(message), .is_old = true, .is_later = !thread};
  if (is_ours) origin.direction = model::MessageDirection::OutBound;
  read_content_of(message, latest, origin, element);
}

void read_call(const Contacts& contacts, const json::object& call, model::Timestamp latest, Element& element) {
  const bool is_ours = text_of(call, "direction") == "BUSINESS_INITIATED";
  read_sender(contacts, text_of(call, is_ours ? "to" : "from"), text_of(call, is_ours ? "to_user_id" : "from_user_id"),
              element);
  if (!element.has_sender()) element.fault = "the call does not say whose it is";
  const auto id = text_of(call, "id");
  element.what = InboundMessage{.channel_id = id,
                                .key = key_of(id, call),
                                .at = moment_of(call, "timestamp", latest),
                                .type = model::MessageType::System,
                                .data = read_call_content(call),
                                .refers_to = {},
                                .word = {},
                                .other_word = {},
                                .is_later = text_of(call, "event") == "terminate"};
}

// ---- statuses and others --------------------------------------------------------------------------------------------

namespace {

struct Status {
  std::string_view word;
  MessageStatus status;
};
// `failed` is not Failed, which is for messages that the channel never accepted. A played voice message was read.
constexpr std::array kStatuses{Status{"sent", MessageStatus::Sent}, Status{"delivered", MessageStatus::Delivered},
                               Status{"read", MessageStatus::Read}, Status{"played", MessageStatus::Read},
                               Status{"failed", MessageStatus::UnDelivered}};

void read_error(const json::object& status, StatusReport& report) {
  const auto* errors = array_of(status, "errors");
  const auto* error = errors && !errors->empty() ? errors->front().if_object() : nullptr;
  if (!error) return;
  const auto code = text_of(*error, "code");
  std::int32_t number = 0;  // as the database stores it
  const auto [end, refused] = std::from_chars(code.data(), code.data() + code.size(), number);
  if (refused == std::errc{} && end == code.data() + code.size()) report.error_code = number;
  report.error_text = text_of(*error, "title");
  if (report.error_text.empty()) report.error_text = text_of(*error, "message");
  const auto* data = object_of(*error, "error_data");
  const auto details = data ? text_of(*data, "details") : std::string();
  if (!details.empty() && details != report.error_text)
    report.error_text.append(report.error_text.empty() ? "" : ": ").append(details);
  report.error_text.resize(model::first_octets(report.error_text, kMaxReasonLength).size());
}

// Messages' ids are UUIDs of version 7. What else comes back with a status was sent by another program.
std::optional<model::Uuid> read_own_id(const std::string& opaque) {
  constexpr std::size_t version = 14;  // its place in the text
  return opaque.size() > version && opaque[version] == '7' ? model::Uuid::parse(opaque) : std::nullopt;
}

}  // namespace

bool read_status(const json::object& status, model::Timestamp latest, Element& element) {
  const auto word = text_of(status, "status");
  const auto known =
      std::find_if(kStatuses.begin(), kStatuses.end(), [&](const auto& each) { return each.word == word; });
  if (known == kStatuses.end()) return false;
  const auto opaque = text_of(status, "biz_opaque_callback_data");
  const auto own_id = read_own_id(opaque);
  StatusReport report{.channel_id = text_of(status, "id"),
                      .message_id = own_id,
                      .is_marked = !opaque.empty() && !own_id,
                      .status = known->status,
                      .at = moment_of(status, "timestamp", latest),
                      .error_code = {},
                      .error_text = {}};
  if (report.status == MessageStatus::UnDelivered) read_error(status, report);
  if (report.channel_id.empty() && !report.message_id) element.fault = "the status does not name its message";
  element.what = std::move(report);
  return true;
}

bool read_preference(const Contacts& contacts, const json::object& preference, model::Timestamp latest,
                     Element& element) {
  const auto category = text_of(preference, "category"), word = text_of(preference, "value");
  if (category != "marketing_messages" || (word != "stop" && word != "resume")) return false;
  read_sender(contacts, text_of(preference, "wa_id"), text_of(preference, "user_id"), element);
  if (!element.has_sender()) element.fault = "the preference does not say whose it is";
  element.what = Preference{word == "stop", moment_of(preference, "timestamp", latest)};
  return true;
}

void read_user_id_update(const Contacts& contacts, const json::object& update, model::Timestamp latest,
                         Element& element) {
  const auto* ids = object_of(update, "user_id");
  const auto now = ids ? text_of(*ids, "current") : text_of(update, "user_id");
  const auto former = ids ? text_of(*ids, "previous") : text_of(update, "previous_user_id");
  read_sender(contacts, text_of(update, "wa_id"), now, element);
  change_user_id(element.sender, former, now);
  if (now.empty()) element.fault = "the update does not say what the user's id is now";
  element.what = InboundMessage{.channel_id = {},
                                .key = key_of({}, update),
                                .at = moment_of(update, "timestamp", latest),
                                .type = model::MessageType::System,
                                .data = {{"type", "user_changed_user_id"},
                                         {"body", text_of(update, "detail")},
                                         {"user_id", now},
                                         {"previous_user_id", former}},
                                .refers_to = {},
                                .word = {},
                                .other_word = {}};
}

}  // namespace parley::conversations::webhooks
