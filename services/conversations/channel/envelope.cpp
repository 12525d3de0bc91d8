#include <stdexcept>

#include "conversations/channel/content.hpp"
#include "conversations/channel/shapes.hpp"

namespace parley::conversations::channel {

namespace {

// Passed on to the channel unchanged.
struct RawContacts {
  model::RawJson contacts;
};
BOOST_DESCRIBE_STRUCT(RawContacts, (), (contacts))

struct RawTemplate {
  std::string name, language;
  std::optional<model::RawJson> components;
};
BOOST_DESCRIBE_STRUCT(RawTemplate, (), (name, language, components))

template <class T>
T read(std::string_view data) {
  auto out = model::from_json<T>(data);
  if (!out) throw std::invalid_argument("a message whose content cannot be sent");
  return std::move(*out);
}

void append_key(std::string& out, std::string_view name) {
  if (out.back() != '{') out += ',';
  model::write(out, name);
  out += ':';
}
template <class T>
void append(std::string& out, std::string_view name, const T& value) {
  append_key(out, name);
  model::write(out, value);
}
void append_text(std::string& out, std::string_view name, const std::optional<std::string>& value) {
  if (value && !value->empty()) append(out, name, *value);
}

void append_media(std::string& out, std::string_view name, std::string_view data) {
  const auto media = read<Media>(data);
  append_key(out, name);
  out += '{';
  append_text(out, "id", media.id);
  append_text(out, "link", media.link);
  append_text(out, "caption", media.caption);
  if (name == "document") append_text(out, "filename", media.fileName);
  out += '}';
}

void append_text_message(std::string& out, std::string_view data) {
  const auto text = read<Text>(data);
  append_key(out, "text");
  out += '{';
  append(out, "body", text.text);
  append(out, "preview_url", text.previewUrl.value_or(false));
  out += '}';
}

void append_location(std::string& out, std::string_view data) {
  const auto location = read<Location>(data);
  append_key(out, "location");
  out += '{';
  append(out, "latitude", location.latitude);
  append(out, "longitude", location.longitude);
  append_text(out, "name", location.name);
  append_text(out, "address", location.address);
  out += '}';
}

void append_reaction(std::string& out, const Envelope& envelope) {
  if (!envelope.reaction_to_wamid) throw std::invalid_argument("a reaction to no message");
  append_key(out, "reaction");
  out += '{';
  append(out, "message_id", *envelope.reaction_to_wamid);
  append(out, "emoji", read<Emoji>(envelope.data).reaction);
  out += '}';
}

void append_template(std::string& out, std::string_view data) {
  const auto message = read<RawTemplate>(data);
  append_key(out, "template");
  out += '{';
  append(out, "name", message.name);
  append_key(out, "language");
  out += '{';
  append(out, "code", message.language);
  out += '}';
  if (message.components) append(out, "components", *message.components);
  out += '}';
}

void append_content(std::string& out, const Envelope& envelope) {
  using enum model::MessageType;
  const auto media = [&](std::string_view name) {
    append(out, "type", name);
    append_media(out, name, envelope.data);
  };
  switch (envelope.type) {
    case Text:
      append(out, "type", "text");
      return append_text_message(out, envelope.data);
    case Image:
      return media("image");
    case Video:
      return media("video");
    case Audio:
      return media("audio");
    case Document:
      return media("document");
    case Sticker:
      return media("sticker");
    case Location:
      append(out, "type", "location");
      return append_location(out, envelope.data);
    case Contacts:
      append(out, "type", "contacts");
      return append(out, "contacts", read<RawContacts>(envelope.data).contacts);
    case Reaction:
      append(out, "type", "reaction");
      return append_reaction(out, envelope);
    case Interactive:
      append(out, "type", "interactive");
      return append(out, "interactive", read<model::RawJson>(envelope.data));
    case Template:
      append(out, "type", "template");
      return append_template(out, envelope.data);
    case System:
    case Unsupported:
      break;
  }
  throw std::invalid_argument("a message of a type that is only received");
}

}  // namespace

std::string to_channel(const Envelope& envelope) {
  std::string out = "{";
  out.reserve(256 + envelope.data.size());
  append(out, "messaging_product", "whatsapp");
  append(out, "recipient_type", "individual");
  if (envelope.recipient.starts_with('+'))
    append(out, "to", std::string_view(envelope.recipient).substr(1));
  else
    append(out, "recipient", envelope.recipient);
  if (envelope.reply_to_wamid) {
    append_key(out, "context");
    out += '{';
    append(out, "message_id", *envelope.reply_to_wamid);
    out += '}';
  }
  append(out, "biz_opaque_callback_data", envelope.message_id);
  append_content(out, envelope);
  out += '}';
  return out;
}

}  // namespace parley::conversations::channel
