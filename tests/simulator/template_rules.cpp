// The channel's rules for templates. Independent of the service's, which must not be less strict.
#include <algorithm>
#include <array>

#include "common/model/text.hpp"
#include "tests/simulator/templates.hpp"

namespace parley::simulator {

namespace json = boost::json;

namespace {

constexpr std::int64_t kFormat = 2388072, kTooLong = 2388040, kExample = 2388043, kEdges = 2388299, kName = 2388015;

std::string text_of(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  const auto* text = value ? value->if_string() : nullptr;
  return text ? std::string(*text) : std::string();
}

std::vector<std::string> variables_of(std::string_view text) {
  std::vector<std::string> out;
  for (auto at = text.find("{{"); at != text.npos; at = text.find("{{", at + 2)) {
    const auto end = std::min(text.find("}}", at), text.size());
    std::string name(text.substr(at + 2, end - at - 2));
    if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

bool is_empty(const json::object& component, std::string_view example) {
  const auto* all = component.if_contains("example");
  const auto* given = all && all->is_object() ? all->get_object().if_contains(example) : nullptr;
  return !given || !given->is_array() || given->get_array().empty();
}

TemplateRefusal refuse(std::int64_t subcode, std::string message) {
  return {subcode, "Template format is incorrect", std::move(message)};
}

std::optional<TemplateRefusal> refusal_of_text(const json::object& component, std::size_t most) {
  const auto type = text_of(component, "type"), text = text_of(component, "text");
  if (text.empty()) return refuse(kFormat, type + " has no text.");
  if (model::count_characters(text).value_or(most + 1) > most) return refuse(kTooLong, type + " is too long.");
  return std::nullopt;
}

std::optional<TemplateRefusal> refusal_of_body(const json::object& body, bool is_named) {
  if (auto refusal = refusal_of_text(body, 1024)) return refusal;
  const auto text = text_of(body, "text");
  const auto variables = variables_of(text);
  if (text.starts_with("{{") || text.ends_with("}}"))
    return refuse(kEdges, "Variables can't be at the start or end of the template.");
  for (std::size_t i = 0; !is_named && i < variables.size(); ++i)
    if (std::ranges::find(variables, std::to_string(i + 1)) == variables.end())
      return refuse(kFormat, "Variables must be numbered from 1 on.");
  if (!variables.empty() && is_empty(body, is_named ? "body_text_named_params" : "body_text"))
    return refuse(kExample, "BODY has no examples of its variables.");
  return std::nullopt;
}

std::optional<TemplateRefusal> refusal_of_header(const json::object& header, bool is_named,
                                                 const std::function<bool(const std::string&)>& is_handle) {
  const auto format = text_of(header, "format");
  if (format == "LOCATION") return std::nullopt;
  if (format == "TEXT") {
    if (auto refusal = refusal_of_text(header, 60)) return refusal;
    const bool has_variable = !variables_of(text_of(header, "text")).empty();
    if (has_variable && is_empty(header, is_named ? "header_text_named_params" : "header_text"))
      return refuse(kExample, "HEADER has no example of its variable.");
    return std::nullopt;
  }
  if (format != "IMAGE" && format != "VIDEO" && format != "DOCUMENT") return refuse(kFormat, "HEADER has no format.");
  if (is_empty(header, "header_handle")) return refuse(kExample, "HEADER has no example.");
  const auto& handle = header.at("example").at("header_handle").at(0);
  if (!handle.is_string() || !is_handle(std::string(handle.get_string())))
    return refuse(kExample, "The media handle is not valid.");
  return std::nullopt;
}

std::optional<TemplateRefusal> refusal_of_buttons(const json::object& component) {
  const auto* buttons = component.if_contains("buttons");
  if (!buttons || !buttons->is_array() || buttons->get_array().empty() || buttons->get_array().size() > 10)
    return refuse(kFormat, "BUTTONS must have 1 to 10 buttons.");
  for (const auto& each : buttons->get_array()) {
    const auto* button = each.if_object();
    if (!button) return refuse(kFormat, "Buttons must be objects.");
    if (model::count_characters(text_of(*button, "text")).value_or(26) > 25)
      return refuse(kTooLong, "The text of a button is too long.");
    if (text_of(*button, "type") == "URL" && text_of(*button, "url").ends_with("}}") && !button->contains("example"))
      return refuse(kExample, "A button has no example of its variable.");
  }
  return std::nullopt;
}

}  // namespace

std::optional<TemplateRefusal> refusal_of(const Template& made,
                                          const std::function<bool(const std::string&)>& is_handle) {
  static constexpr std::array<std::string_view, 3> kCategories{"MARKETING", "UTILITY", "AUTHENTICATION"};
  const auto is_good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!std::ranges::all_of(made.name, is_good) || made.name.size() > 512)
    return refuse(kName, "The name may have lower-case letters, digits and underscores.");
  if (std::ranges::find(kCategories, made.category) == kCategories.end())
    return refuse(kFormat, "The category is none.");
  const bool is_named = made.parameter_format == "NAMED", is_authentication = made.category == "AUTHENTICATION";
  bool has_body = false;
  for (const auto& each : made.components) {
    const auto& component = each.as_object();
    const auto type = text_of(component, "type");
    std::optional<TemplateRefusal> refusal;
    if (type == "HEADER") refusal = refusal_of_header(component, is_named, is_handle);
    if (type == "BODY" && !is_authentication) refusal = refusal_of_body(component, is_named);
    if (type == "FOOTER" && !is_authentication) refusal = refusal_of_text(component, 60);
    if (type == "BUTTONS") refusal = refusal_of_buttons(component);
    if (refusal) return refusal;
    has_body = has_body || type == "BODY";
  }
  if (!has_body) return refuse(kFormat, "The template has no BODY.");
  return std::nullopt;
}

}  // namespace parley::simulator
