#include "tests/simulator/templates.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>

namespace parley::simulator {

namespace json = boost::json;

namespace {

constexpr std::string_view kDefaults = R"json([
{"name":"hello_world","language":"en_US","status":"APPROVED","category":"UTILITY","components":[
  {"type":"HEADER","format":"TEXT","text":"Hello World"},
  {"type":"BODY","text":"Welcome and congratulations!! This message demonstrates your ability to send a message."},
  {"type":"FOOTER","text":"Business Platform sample message"}]},
{"name":"order_update","language":"en_US","status":"APPROVED","category":"UTILITY","components":[
  {"type":"BODY","text":"Hello {{1}}, your order {{2}} is on its way.","example":{"body_text":[["Ada","1815"]]}},
  {"type":"BUTTONS","buttons":[{"type":"URL","text":"Follow it","url":"https://shop.example/orders/{{1}}",
    "example":["https://shop.example/orders/1815"]}]}]},
{"name":"order_update","language":"de","status":"APPROVED","category":"UTILITY","components":[
  {"type":"BODY","text":"Hallo {{1}}, Ihre Bestellung {{2}} ist unterwegs.","example":{"body_text":[["Ada","1815"]]}},
  {"type":"BUTTONS","buttons":[{"type":"URL","text":"Verfolgen","url":"https://shop.example/orders/{{1}}",
    "example":["https://shop.example/orders/1815"]}]}]},
{"name":"summer_sale","language":"en_US","status":"APPROVED","category":"MARKETING","parameter_format":"NAMED","components":[
  {"type":"HEADER","format":"IMAGE","example":{"header_handle":["https://shop.example/summer.jpg"]}},
  {"type":"BODY","text":"{{first_name}}, all of {{city}} is on sale.","example":{"body_text_named_params":[
    {"param_name":"first_name","example":"Ada"},{"param_name":"city","example":"London"}]}},
  {"type":"FOOTER","text":"Answer STOP to hear no more"},
  {"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"Show me"},{"type":"QUICK_REPLY","text":"Stop promotions"}]}]},
{"name":"sign_in_code","language":"en_US","status":"APPROVED","category":"AUTHENTICATION","components":[
  {"type":"BODY","text":"*{{1}}* is your verification code.","example":{"body_text":[["123456"]]}},
  {"type":"BUTTONS","buttons":[{"type":"URL","text":"Copy code","url":"https://codes.example/?code={{1}}",
    "example":["https://codes.example/?code=123456"]}]}]},
{"name":"winter_sale","language":"en_US","status":"PENDING","category":"MARKETING","components":[
  {"type":"BODY","text":"Winter is on sale, {{1}}.","example":{"body_text":[["Ada"]]}}]},
{"name":"spring_sale","language":"en_US","status":"REJECTED","category":"MARKETING","rejected_reason":"INVALID_FORMAT",
 "components":[{"type":"BODY","text":"{{1}}{{2}}","example":{"body_text":[["Ada","1815"]]}}]},
{"name":"autumn_sale","language":"en_US","status":"PAUSED","category":"MARKETING","components":[
  {"type":"BODY","text":"Autumn is on sale."}]}
])json";

std::string text_of(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  const auto* text = value ? value->if_string() : nullptr;
  return text ? std::string(*text) : std::string();
}

const json::array* array_of(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value ? value->if_array() : nullptr;
}

std::vector<std::string> variables_of(std::string_view text) {
  std::vector<std::string> out;
  for (auto at = text.find("{{"); at != text.npos; at = text.find("{{", at + 2)) {
    const auto end = text.find("}}", at);
    if (end == text.npos) break;
    std::string name(text.substr(at + 2, end - at - 2));
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

std::string upper(std::string text) {
  for (auto& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

// The message's component of a type (and of an index, for a button); nullptr if there is none.
const json::object* component_of(const json::object& message, std::string_view type, std::string_view index = {}) {
  const auto* components = array_of(message, "components");
  if (!components) return nullptr;
  for (const auto& each : *components) {
    const auto* component = each.if_object();
    if (!component || upper(text_of(*component, "type")) != type) continue;
    const auto* at = component->if_contains("index");
    const auto given = at && at->is_int64() ? std::to_string(at->get_int64()) : text_of(*component, "index");
    if (index.empty() || given == index) return component;
  }
  return nullptr;
}

void check_texts(const std::string& part, const std::vector<std::string>& wanted, const json::object* component,
                 bool named) {
  static const json::array none;
  const auto* given = component ? array_of(*component, "parameters") : nullptr;
  if (!given) given = &none;
  if (given->size() != wanted.size())
    throw Refusal{132000, part + ": number of localizable_params (" + std::to_string(given->size()) +
                              ") does not match the expected number of params (" + std::to_string(wanted.size()) + ")"};
  for (const auto& each : *given) {
    const auto* parameter = each.if_object();
    if (!parameter) throw Refusal{100, part + ": parameters must be objects"};
    const auto type = text_of(*parameter, "type");
    if (type != "text" && type != "currency" && type != "date_time")
      throw Refusal{132012, part + ": Format mismatch, expected TEXT, received " + upper(type)};
    if (type == "text" && text_of(*parameter, "text").empty())
      throw Refusal{131008, "Parameter of type text is missing text value"};
    const auto name = text_of(*parameter, "parameter_name");
    if (named && std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      throw Refusal{100, "Parameter name is missing or not one of the template's"};
  }
}

void check_header(const json::object& wanted, const json::object* component, bool named) {
  const auto format = text_of(wanted, "format");
  if (format == "TEXT") return check_texts("header", variables_of(text_of(wanted, "text")), component, named);
  const auto* given = component ? array_of(*component, "parameters") : nullptr;
  const auto* parameter = given && given->size() == 1 ? given->front().if_object() : nullptr;
  const auto received = parameter ? upper(text_of(*parameter, "type")) : "UNKNOWN";
  if (received != format)
    throw Refusal{132012, "header: Format mismatch, expected " + format + ", received " + received};
}

void check_buttons(const json::object& wanted, const json::object& message) {
  const auto* buttons = array_of(wanted, "buttons");
  if (!buttons) return;
  for (std::size_t i = 0; i < buttons->size(); ++i) {
    const auto* button = (*buttons)[i].if_object();
    if (!button || text_of(*button, "type") != "URL" || variables_of(text_of(*button, "url")).empty()) continue;
    const auto* component = component_of(message, "BUTTON", std::to_string(i));
    if (!component)
      throw Refusal{131008, "buttons: Button at index " + std::to_string(i) + " of type Url requires a parameter"};
    check_texts("buttons", {"1"}, component, false);
  }
}

}  // namespace

json::object Template::to_json() const {
  json::object out{{"name", name},
                   {"parameter_format", parameter_format},
                   {"components", components},
                   {"language", language},
                   {"status", status},
                   {"category", category}};
  if (!rejected_reason.empty()) out["rejected_reason"] = rejected_reason;
  if (quality != "UNKNOWN") out["quality_score"] = {{"score", quality}};
  out["id"] = id;
  return out;
}

void Templates::add_defaults(const std::string& business_account_id) {
  static const auto defaults = json::parse(kDefaults);
  for (const auto& each : defaults.as_array()) {
    const auto& given = each.as_object();
    Template made;
    made.business_account_id = business_account_id;
    made.name = text_of(given, "name");
    made.language = text_of(given, "language");
    made.status = text_of(given, "status");
    made.category = text_of(given, "category");
    made.rejected_reason = text_of(given, "rejected_reason");
    if (given.contains("parameter_format")) made.parameter_format = text_of(given, "parameter_format");
    made.components = *array_of(given, "components");
    add(std::move(made));
  }
}

Template& Templates::add(Template made) {
  if (auto* known = find(made.business_account_id, made.name, made.language)) {
    made.id = known->id;
    return *known = std::move(made);
  }
  made.id = std::to_string(400'000'000'000'000 + ++next_);
  return templates_.emplace_back(std::move(made));
}

Template* Templates::find(std::string_view business_account_id, std::string_view name, std::string_view language) {
  for (auto& each : templates_)
    if (each.business_account_id == business_account_id && each.name == name && each.language == language) return &each;
  return nullptr;
}

Template* Templates::find(std::string_view id) {
  for (auto& each : templates_)
    if (each.id == id) return &each;
  return nullptr;
}

bool Templates::remove(std::string_view business_account_id, std::string_view name, std::string_view id) {
  return std::erase_if(templates_, [&](const auto& each) {
           const bool is_it =
               each.business_account_id == business_account_id && each.name == name && (id.empty() || each.id == id);
           if (is_it && each.status == "APPROVED") held_.insert(place_of(each));
           return is_it;
         }) > 0;
}

std::vector<const Template*> Templates::of(std::string_view business_account_id) const {
  std::vector<const Template*> out;
  for (const auto& each : templates_)
    if (each.business_account_id == business_account_id) out.push_back(&each);
  return out;
}

void Templates::check(std::string_view business_account_id, const json::object& message, bool to_user_id) {
  const auto name = text_of(message, "name");
  if (name.empty()) throw Refusal{131008, "Parameter 'name' of template is required"};
  const auto* language = message.if_contains("language");
  const auto code = language && language->is_object() ? text_of(language->get_object(), "code") : std::string();
  if (code.empty()) throw Refusal{131008, "Parameter 'language' of template is required"};
  const auto* found = find(business_account_id, name, code);
  if (found && found->status == "PAUSED") throw Refusal{132015, "template name (" + name + ") is paused"};
  if (found && found->status == "DISABLED") throw Refusal{132016, "template name (" + name + ") is disabled"};
  if (!found || found->status != "APPROVED")
    throw Refusal{132001, "template name (" + name + ") does not exist in " + code};
  if (to_user_id && found->category == "AUTHENTICATION")
    throw Refusal{131062, "Authentication templates need a phone number"};
  const bool named = found->parameter_format == "NAMED";
  for (const auto& each : found->components) {
    const auto& wanted = each.as_object();
    const auto type = text_of(wanted, "type");
    if (type == "HEADER") check_header(wanted, component_of(message, type), named);
    if (type == "BODY") check_texts("body", variables_of(text_of(wanted, "text")), component_of(message, type), named);
    if (type == "BUTTONS") check_buttons(wanted, message);
  }
}

}  // namespace parley::simulator
