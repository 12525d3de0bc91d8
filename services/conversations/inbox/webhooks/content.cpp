#include "conversations/inbox/webhooks/content.hpp"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <span>

#include "common/channel/limits.hpp"
#include "common/model/keep.hpp"

namespace parley::conversations::webhooks {

namespace json = boost::json;
using model::MessageType;

namespace {

struct Name {
  std::string_view theirs, ours;
};

json::string_view key_of(std::string_view key) { return {key.data(), key.size()}; }

void copy(const json::object& from, std::span<const Name> names, json::object& to) {
  for (const auto& [theirs, ours] : names) {
    const auto* value = from.if_contains(key_of(theirs));
    if (value && !value->is_null()) to[key_of(ours)] = *value;
  }
}

constexpr std::array kMedium{
    Name{"id", "id"},       Name{"caption", "caption"},   Name{"mime_type", "mimeType"}, Name{"sha256", "sha256"},
    Name{"voice", "voice"}, Name{"animated", "animated"}, Name{"filename", "fileName"}};
constexpr std::array kLocation{Name{"latitude", "latitude"}, Name{"longitude", "longitude"}, Name{"name", "name"},
                               Name{"address", "address"}, Name{"url", "url"}};
constexpr std::array kReply{Name{"id", "id"}, Name{"title", "title"}, Name{"description", "description"}};
constexpr std::array kForm{Name{"name", "id"}, Name{"body", "title"}, Name{"response_json", "payload"}};
constexpr std::array kButton{Name{"payload", "id"}, Name{"text", "title"}, Name{"payload", "payload"}};
constexpr std::array kContext{Name{"forwarded", "forwarded"}, Name{"frequently_forwarded", "frequentlyForwarded"},
                              Name{"referred_product", "referredProduct"}};
constexpr std::array kMessage{Name{"referral", "referral"}, Name{"errors", "errors"},
                              Name{"identity", "senderIdentity"}};
constexpr std::array kOrder{Name{"catalog_id", "catalogId"}, Name{"text", "text"}, Name{"product_items", "items"}};
constexpr std::array kCall{Name{"event", "event"},      Name{"direction", "direction"},
                           Name{"status", "status"},    Name{"start_time", "startTime"},
                           Name{"end_time", "endTime"}, Name{"duration", "duration"},
                           Name{"errors", "errors"}};

struct Medium {
  std::string_view type;
  MessageType ours;
};
constexpr std::array kMedia{Medium{"image", MessageType::Image}, Medium{"video", MessageType::Video},
                            Medium{"audio", MessageType::Audio}, Medium{"document", MessageType::Document},
                            Medium{"sticker", MessageType::Sticker}};

bool read_interactive(const json::object& interactive, Content& content) {
  const auto type = text_of(interactive, "type");
  const auto* reply = object_of(interactive, type);
  if (type.empty() || !reply) return false;
  content.data["type"] = type;
  if (type == "nfm_reply")
    copy(*reply, kForm, content.data);
  else
    copy(*reply, kReply, content.data);
  if (type != "nfm_reply" && type != "button_reply" && type != "list_reply") content.data["payload"] = *reply;
  content.word = text_of(*reply, "id");
  content.other_word = text_of(*reply, "title");
  return true;
}

// Fills in content of a known kind; false if the kind is unknown or its member is missing.
bool read_known(const std::string& type, const json::object& message, Content& content) {
  const auto set = [&](MessageType known) {
    content.type = known;
    return true;
  };
  if (type == "contacts") {
    const auto* contacts = array_of(message, type);
    if (!contacts) return false;
    content.data["contacts"] = *contacts;
    return set(MessageType::Contacts);
  }
  if (type == "request_welcome") {
    content.data["type"] = type;
    return set(MessageType::System);
  }
  const auto* own = object_of(message, type);
  if (!own) return false;
  for (const auto& medium : kMedia)
    if (type == medium.type) {
      copy(*own, kMedium, content.data);
      return set(medium.ours);
    }
  if (type == "text") {
    content.word = text_of(*own, "body");
    content.data["text"] = content.word;
    return set(MessageType::Text);
  }
  if (type == "location") {
    copy(*own, kLocation, content.data);
    return set(MessageType::Location);
  }
  if (type == "reaction") {
    content.data["reaction"] = text_of(*own, "emoji");  // "" removes it
    content.data["messageId"] = nullptr;
    content.refers_to = text_of(*own, "message_id");
    return set(MessageType::Reaction);
  }
  if (type == "button") {
    content.data["type"] = type;
    copy(*own, kButton, content.data);
    content.word = text_of(*own, "payload");
    content.other_word = text_of(*own, "text");
    return set(MessageType::Interactive);
  }
  if (type == "system") {
    content.data = *own;
    content.data["type"] = text_of(*own, "type");
    return set(MessageType::System);
  }
  if (type == "order") {  // what the user chose from the catalogue
    content.data["type"] = type;
    copy(*own, kOrder, content.data);
    return set(MessageType::Interactive);
  }
  return type == "interactive" && read_interactive(*own, content) && set(MessageType::Interactive);
}

}  // namespace

std::string text_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key_of(key));
  if (!value) return {};
  if (const auto* text = value->if_string()) return {text->data(), text->size()};
  return value->is_number() ? json::serialize(*value) : std::string();
}

const json::object* object_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key_of(key));
  return value ? value->if_object() : nullptr;
}

const json::array* array_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key_of(key));
  return value ? value->if_array() : nullptr;
}

json::object read_call_content(const json::object& call) {
  json::object out{{"type", "call"}};
  copy(call, kCall, out);
  return out;
}

Content read_content(const json::object& message) {
  Content content;
  const auto type = text_of(message, "type");
  if (!read_known(type, message, content)) {
    const auto* unsupported = object_of(message, "unsupported");
    const auto inner = unsupported ? text_of(*unsupported, "type") : std::string();
    content = {};
    content.data["type"] = inner.empty() ? type : inner;
    content.data["payload"] = message;
  }
  const auto* context = object_of(message, "context");
  if (context) copy(*context, kContext, content.data);
  if (context && content.type != MessageType::Reaction) content.refers_to = text_of(*context, "id");
  copy(message, kMessage, content.data);
  if (model::kept_size(content.data) > cloud_api::kLargestKept) {  // nobody types that much
    content.type = MessageType::Unsupported;
    content.data = {{"type", type}};
  }
  return content;
}

}  // namespace parley::conversations::webhooks
