#include "conversations/channel/content.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cmath>

#include "common/channel/limits.hpp"
#include "common/model/keep.hpp"
#include "conversations/channel/checks.hpp"
#include "conversations/channel/interactive.hpp"

namespace parley::conversations::channel {

namespace {

template <class T>
std::optional<T> read(const boost::json::value& data, http::Faults& faults) {
  T out;
  model::Reader reader(model::Nulls::refused);
  reader.read(data, out);
  for (auto& fault : reader.faults) faults.add("/messageData" + fault.pointer, std::move(fault.detail));
  return reader.faults.empty() ? std::optional<T>(std::move(out)) : std::nullopt;
}

void check(const Text& text, http::Faults& faults) {
  faults.check_text("/messageData/text", text.text, 1, cloud_api::kMaxTextLength);
}

void check(const Media& media, model::MessageType type, http::Faults& faults) {
  using enum model::MessageType;
  check_media("/messageData", media, faults);
  const auto caption = media.caption.value_or("");
  if (!caption.empty() && (type == Audio || type == Sticker))
    faults.add("/messageData/caption", "is for images, videos and documents");
  else
    faults.check_text("/messageData/caption", caption, 0, cloud_api::kMaxCaptionLength);
  if (type == Document)
    faults.check_text("/messageData/fileName", media.fileName.value_or(""), 0, cloud_api::kMaxFileNameLength);
}

void check(const Location& location, http::Faults& faults) {
  if (!(std::abs(location.latitude) <= 90)) faults.add("/messageData/latitude", "must be from -90 to 90");
  if (!(std::abs(location.longitude) <= 180)) faults.add("/messageData/longitude", "must be from -180 to 180");
  faults.check_text("/messageData/name", location.name.value_or(""), 0, cloud_api::kMaxNameLength);
  faults.check_text("/messageData/address", location.address.value_or(""), 0, cloud_api::kMaxNameLength);
}

void check(const Contacts& contacts, http::Faults& faults) {
  if (contacts.contacts.empty() || contacts.contacts.size() > cloud_api::kMaxCards)
    faults.add("/messageData/contacts", "must be 1 to " + std::to_string(cloud_api::kMaxCards));
  for (std::size_t i = 0; i < contacts.contacts.size(); ++i) {
    const auto at = "/messageData/contacts/" + std::to_string(i);
    const auto& card = contacts.contacts[i];
    faults.check_text(at + "/name/formatted_name", card.name.formatted_name, 1, cloud_api::kMaxNameLength);
    for (std::size_t j = 0; card.phones && j < card.phones->size(); ++j)
      faults.check_text(at + "/phones/" + std::to_string(j) + "/phone", (*card.phones)[j].phone.value_or(""), 1, 64);
  }
}

void check(const Emoji& reaction, http::Faults& faults) {
  faults.check_text("/messageData/reaction", reaction.reaction, 0, cloud_api::kMaxReactionLength);
}

void check(const std::string& at, const Parameter& parameter, http::Faults& faults) {
  faults.check_text(at + "/type", parameter.type, 1, cloud_api::kMaxWordLength);
  if (parameter.type == "text")
    faults.check_text(at + "/text", parameter.text.value_or(""), 1, cloud_api::kMaxParameterLength);
  if (parameter.type == "image" && check_there(at + "/image", parameter.image, faults))
    check_media(at + "/image", *parameter.image, faults);
  if (parameter.type == "video" && check_there(at + "/video", parameter.video, faults))
    check_media(at + "/video", *parameter.video, faults);
  if (parameter.type == "document" && check_there(at + "/document", parameter.document, faults))
    check_media(at + "/document", *parameter.document, faults);
}

void check(const TemplateMessage& message, http::Faults& faults) {
  faults.check_text("/messageData/name", message.name, 1, cloud_api::kMaxTemplateNameLength);
  faults.check_text("/messageData/language", message.language, 1, cloud_api::kMaxWordLength);
  for (std::size_t i = 0; message.components && i < message.components->size(); ++i) {
    const auto at = "/messageData/components/" + std::to_string(i);
    const auto& component = (*message.components)[i];
    faults.check_text(at + "/type", component.type, 1, cloud_api::kMaxWordLength);
    if (component.type == "button") {
      check_there(at + "/sub_type", component.sub_type, faults);
      check_there(at + "/index", component.index, faults);
    }
    for (std::size_t j = 0; component.parameters && j < component.parameters->size(); ++j)
      check(at + "/parameters/" + std::to_string(j), (*component.parameters)[j], faults);
  }
}

template <class T>
void read_and_check(const boost::json::value& data, http::Faults& faults) {
  if (const auto content = read<T>(data, faults)) check(*content, faults);
}

}  // namespace

void check_media(const std::string& at, const Media& media, http::Faults& faults) {
  const auto id = media.id.value_or("");
  const auto link = media.link.value_or("");
  if (id.empty() == link.empty()) faults.add(at, "needs either an id or a link");
  faults.check_text(at + "/id", id, 0, cloud_api::kMaxMediaIdLength);
  faults.check_url(at + "/link", link);
}

void check_content(model::MessageType type, const boost::json::value& data, http::Faults& faults) {
  using enum model::MessageType;
  if (data.is_object() && boost::json::serialize(data).size() > cloud_api::kLargestContent)
    return faults.add("/messageData", "is longer than " + std::to_string(cloud_api::kLargestContent) + " octets");
  if (model::kept_size(data) > cloud_api::kLargestKept)
    return faults.add("/messageData", "is longer than " + std::to_string(cloud_api::kLargestKept) +
                                          " octets when its numbers are written out");
  switch (type) {
    case Text:
      return read_and_check<channel::Text>(data, faults);
    case Image:
    case Video:
    case Audio:
    case Document:
    case Sticker:
      if (const auto media = read<Media>(data, faults)) check(*media, type, faults);
      return;
    case Location:
      return read_and_check<channel::Location>(data, faults);
    case Contacts:
      return read_and_check<channel::Contacts>(data, faults);
    case Reaction:
      return read_and_check<Emoji>(data, faults);
    case Interactive:
      if (const auto content = read<channel::Interactive>(data, faults)) check_interactive(*content, faults);
      return;
    case Template:
      return read_and_check<TemplateMessage>(data, faults);
    case System:
    case Unsupported:
      break;
  }
  faults.add("/messageType", "cannot be sent: it is only received");
}

}  // namespace parley::conversations::channel
