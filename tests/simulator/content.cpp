#include "tests/simulator/content.hpp"

#include <boost/json/array.hpp>
#include <string>

namespace parley::simulator {

namespace json = boost::json;

namespace {

Refusal missing(const std::string& what) { return {131008, "Parameter '" + what + "' is required"}; }
Refusal invalid(const std::string& what) { return {131009, what}; }

// An object within a message, and its path: `interactive['action']`.
struct Part {
  const json::object& object;
  std::string path;

  std::string at(std::string_view name) const {
    return path.empty() ? std::string(name) : path + "['" + std::string(name) + "']";
  }
  const json::value* find(std::string_view name) const { return object.if_contains(name); }

  std::string_view text(std::string_view name, std::size_t least, std::size_t most) const {
    const auto* value = find(name);
    if (!value || value->is_null()) {
      if (least > 0) throw missing(at(name));
      return {};
    }
    const auto* text = value->if_string();
    if (!text) throw Refusal{100, "Param " + at(name) + " must be a string."};
    if (text->size() < least) throw missing(at(name));
    // The channel counts characters.
    std::size_t characters = 0;
    for (const char c : *text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (characters > most)
      throw Refusal{100, "Param " + at(name) + " must be at most " + std::to_string(most) + " characters long."};
    return *text;
  }
  Part part(std::string_view name) const {
    const auto* value = find(name);
    if (!value) throw missing(at(name));
    const auto* object_there = value->if_object();
    if (!object_there) throw Refusal{100, "Param " + at(name) + " must be a JSON object."};
    return {*object_there, at(name)};
  }
  const json::array& array(std::string_view name, std::size_t least, std::size_t most) const {
    const auto* value = find(name);
    const auto* array_there = value ? value->if_array() : nullptr;
    if (!array_there) throw missing(at(name));
    if (array_there->size() < least || array_there->size() > most)
      throw invalid(at(name) + " count: min " + std::to_string(least) + ", max " + std::to_string(most));
    return *array_there;
  }
  Part element(const json::array& array, std::size_t index, std::string_view name) const {
    const auto* object_there = array[index].if_object();
    const auto path_there = at(name) + "[" + std::to_string(index) + "]";
    if (!object_there) throw Refusal{100, "Param " + path_there + " must be a JSON object."};
    return {*object_there, path_there};
  }
  void number(std::string_view name, double most) const {
    const auto* value = find(name);
    if (!value) throw missing(at(name));
    double number = 0;
    if (value->is_number())
      number = value->to_number<double>();
    else if (!value->is_string() || value->get_string().empty())
      throw Refusal{100, "Param " + at(name) + " must be a number."};
    if (number < -most || number > most) throw invalid(at(name) + " is out of range");
  }
};

void check_media(const Part& part, const MediaStore& media) {
  const auto id = part.text("id", 0, 100), link = part.text("link", 0, 2048);
  if (id.empty() == link.empty()) throw Refusal{100, "Param " + part.path + " must have either 'id' or 'link'."};
  if (!id.empty() && !media.find(id))
    throw Refusal{100, "Param " + part.at("id") + " is not a valid whatsapp business account media attachment ID"};
  if (!link.empty() && !link.starts_with("https://") && !link.starts_with("http://"))
    throw Refusal{100, "Param " + part.at("link") + " is not a valid URI."};
}

void check_caption(const Part& part, bool allowed) {
  if (part.find("caption") && !allowed)
    throw Refusal{100, "Unexpected key \"caption\" on param \"" + part.path + "\"."};
  part.text("caption", 0, 1024);
}

void check_contacts(const Part& whole) {
  const auto& contacts = whole.array("contacts", 1, 257);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    whole.element(contacts, i, "contacts").part("name").text("formatted_name", 1, 1024);
}

void check_reply_buttons(const Part& action) {
  const auto& buttons = action.array("buttons", 1, 3);
  for (std::size_t i = 0; i < buttons.size(); ++i) {
    const auto button = action.element(buttons, i, "buttons");
    if (button.text("type", 1, 20) != "reply") throw invalid(button.at("type") + " must be reply");
    const auto reply = button.part("reply");
    reply.text("id", 1, 256);
    reply.text("title", 1, 20);
  }
}

void check_sections(const Part& action) {
  action.text("button", 1, 20);
  const auto& sections = action.array("sections", 1, 10);
  std::size_t total = 0;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto section = action.element(sections, i, "sections");
    section.text("title", sections.size() > 1 ? 1 : 0, 24);
    const auto& rows = section.array("rows", 1, 10);
    total += rows.size();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto row = section.element(rows, k, "rows");
      row.text("id", 1, 200);
      row.text("title", 1, 24);
      row.text("description", 0, 72);
    }
  }
  if (total > 10) throw invalid("Total row count exceed max allowed count: 10");
}

void check_interactive(const Part& part, const MediaStore& media) {
  const auto type = part.text("type", 1, 40);
  const auto action = part.part("action");
  if (type != "product") part.part("body").text("text", 1, type == "list" ? 4096 : 1024);
  if (part.find("footer")) part.part("footer").text("text", 1, 60);
  if (part.find("header")) {
    const auto header = part.part("header");
    const auto kind = header.text("type", 1, 20);
    if (kind == "text")
      header.text("text", 1, 60);
    else if (kind == "image" || kind == "video" || kind == "document")
      check_media(header.part(kind), media);
    else
      throw invalid(header.at("type") + " must be one of text, image, video, document");
  }
  if (type == "button") return check_reply_buttons(action);
  if (type == "list") return check_sections(action);
  if (type == "cta_url") {
    const auto parameters = action.part("parameters");
    parameters.text("display_text", 1, 20);
    parameters.text("url", 1, 2048);
  }
  if (type == "flow") action.part("parameters");
  if (type == "cta_url" || type == "flow" || type == "location_request_message") {
    const auto wanted = type == "location_request_message" ? std::string_view("send_location") : type;
    if (action.text("name", 1, 40) != wanted) throw invalid(action.at("name") + " must be " + std::string(wanted));
    return;
  }
  if (type != "product" && type != "product_list" && type != "catalog_message" && type != "address_message" &&
      type != "voice_call" && type != "call_permission_request")
    throw invalid(part.at("type") + " is none that is known");
}

}  // namespace

void check_content(std::string_view type, const json::object& message, const MediaStore& media) {
  const Part whole{message, ""};
  if (type == "contacts") return check_contacts(whole);
  const auto* value = message.if_contains(type);
  if (!value)
    throw Refusal{131008, "Parameter '" + std::string(type) + "' is mandatory for type '" + std::string(type) + "'"};
  if (!value->is_object()) throw Refusal{100, "Param " + std::string(type) + " must be a JSON object."};
  const Part part{value->get_object(), std::string(type)};
  if (type == "text") {
    part.text("body", 1, 4096);
  } else if (type == "location") {
    part.number("latitude", 90);
    part.number("longitude", 180);
  } else if (type == "reaction") {
    if (!part.text("message_id", 1, 512).starts_with("wamid."))
      throw invalid(part.at("message_id") + " is no message's id");
    if (!part.find("emoji")) throw missing(part.at("emoji"));
    part.text("emoji", 0, 16);
  } else if (type == "interactive") {
    check_interactive(part, media);
  } else {
    check_media(part, media);
    check_caption(part, type != "audio" && type != "sticker");
    if (type == "document") part.text("filename", 0, 240);
  }
}

}  // namespace parley::simulator
