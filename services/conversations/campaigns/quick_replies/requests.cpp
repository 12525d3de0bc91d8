#include "conversations/campaigns/quick_replies/requests.hpp"

#include <algorithm>

#include "common/http/body.hpp"
#include "conversations/campaigns/rendering/message.hpp"

namespace parley::conversations::quick_replies {

namespace {

constexpr std::size_t kMaxShortcut = 32;
constexpr std::size_t kMaxOctets = 32 * 1024;  // of the text: as a campaign's message

bool is_shortcut(std::string_view text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= kMaxShortcut && std::ranges::all_of(text, is_allowed);
}

rendering::Header header_of(const Media& media) {
  using enum rendering::HeaderType;
  rendering::Header out;
  out.type = media.type == MediaType::Image ? Image : media.type == MediaType::Video ? Video : Document;
  out.id = media.id;
  out.link = media.link;
  out.fileName = media.fileName;
  return out;
}

// The campaign's message has a header where the reply has media.
std::string place_of(std::string_view pointer) {
  constexpr std::string_view kHeader = "/header";
  if (pointer.starts_with(kHeader)) return "/media" + std::string(pointer.substr(kHeader.size()));
  return pointer.empty() ? "/text" : std::string(pointer);
}

void check(const QuickReply& reply, http::Faults& faults) {
  if (!is_shortcut(reply.shortcut))
    faults.add("/shortcut",
               "must be 1 to " + std::to_string(kMaxShortcut) + " of the characters A-Z, a-z, 0-9, - and _");
  if (reply.text.size() > kMaxOctets) return faults.add("/text", "must be at most 32 KiB long");
  model::Fault fault;
  const auto message = model::parse(message_of(reply).text, fault);
  if (!message) return faults.add("/text", fault.detail);
  try {
    http::Faults inner;
    rendering::read_message(*message, "", inner);
    inner.throw_if_any();
  } catch (const http::Problem& problem) {
    for (const auto& error : problem.errors) faults.add(place_of(error.pointer), error.detail);
  }
}

}  // namespace

awaitable<Changes> read_changes(http::Request& request, bool is_new) {
  http::require_json(request);
  const auto text = co_await request.body();
  const auto json = http::parse_body(text);
  Changes out;
  model::Reader reader(model::Nulls::refused);
  reader.read(json, out.body);
  http::throw_faults(std::move(reader.faults));
  const auto* media = json.get_object().if_contains("media");
  out.no_media = media && media->is_null();
  http::Faults faults;
  if (is_new && !out.body.shortcut) faults.add("/shortcut", "is required");
  if (is_new && !out.body.text) faults.add("/text", "is required");
  faults.throw_if_any();
  co_return out;
}

QuickReply changed(QuickReply reply, const Changes& changes) {
  const auto& body = changes.body;
  reply.shortcut = body.shortcut.value_or(std::move(reply.shortcut));
  reply.text = body.text.value_or(std::move(reply.text));
  if (body.media || changes.no_media) reply.media = body.media;
  http::Faults faults;
  check(reply, faults);
  faults.throw_if_any();
  return reply;
}

model::RawJson message_of(const QuickReply& reply) {
  std::string out = R"({"type":"Text","text":)" + model::to_json(reply.text);
  if (reply.media) out += ",\"header\":" + model::to_json(header_of(*reply.media));
  return {out + "}"};
}

}  // namespace parley::conversations::quick_replies
