#include "conversations/channel/templates/rules.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <set>

#include "common/channel/limits.hpp"
#include "common/model/text.hpp"

namespace parley::conversations::templates {

namespace json = boost::json;

namespace {

constexpr std::size_t kMaxComponents = 4, kMaxButtons = 10, kMaxButtonText = 25, kMaxUrls = 2, kMaxUrl = 2000,
                      kMaxPhone = 20;
constexpr std::size_t kMaxCode = 15, kMaxExample = 1024, kMaxHandle = 4096, kMaxVariable = 64, kMaxVariables = 100;
constexpr std::size_t kMaxOctets = 4;  // of a character
constexpr std::int64_t kMaxMinutes = 90;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

// Such as en, en_US, zh_CN, prs_AF: which ones there are is the channel's to say.
bool is_language(std::string_view text) {
  const auto place = text.find('_');
  const auto language = text.substr(0, place);
  if (language.size() < 2 || language.size() > 3 || !std::ranges::all_of(language, is_lower)) return false;
  if (place == text.npos) return true;
  const auto country = text.substr(place + 1);
  return country.size() >= 2 && country.size() <= 4 && std::ranges::all_of(country, is_letter);
}

std::string at(std::string_view pointer, std::size_t index) {
  return std::string(pointer) + "/" + std::to_string(index);
}

// The variables of a text, and what is around them.
struct Variables {
  std::vector<std::string> names;  // each once, in the order in which they come
  bool at_start = false, at_end = false, adjacent = false;
  std::string fault;  // of the braces; "" if none
};

Variables variables_of(std::string_view text) {
  Variables out;
  std::string_view between;
  std::size_t from = 0;
  bool is_first = true;
  for (auto open = text.find("{{"); open != text.npos; open = text.find("{{", from)) {
    const auto close = text.find("}}", open);
    if (close == text.npos) break;
    const auto name = text.substr(open + 2, close - open - 2);
    if (!is_word(name) || name.size() > kMaxVariable)
      out.fault = "has a variable that is not written as {{1}}, or as {{first_name}} with lower-case letters";
    between = text.substr(from, open - from);
    (is_first ? out.at_start : out.adjacent) |= model::is_blank(between);
    is_first = false;
    if (std::ranges::find(out.names, name) == out.names.end()) {
      if (out.names.size() == kMaxVariables) {
        out.fault = "has more than 100 variables";
        return out;
      }
      out.names.emplace_back(name);
    }
    from = close + 2;
  }
  const auto rest = text.substr(from);
  out.at_end = !is_first && model::is_blank(rest);
  if (rest.find("{{") != rest.npos || rest.find("}}") != rest.npos)
    out.fault = "has braces that are not those of a variable";
  return out;
}

class Check {
 public:
  Check(const Draft& draft, http::Faults& faults)
      : draft_(draft),
        is_named_(draft.parameterFormat == ParameterFormat::NAMED),
        is_authentication_(draft.category == Category::AUTHENTICATION),
        faults_(faults) {}

  void check_names() {
    if (!is_word(draft_.name) || draft_.name.size() > cloud_api::kMaxTemplateNameLength)
      fault("/name", "must be 1 to 512 lower-case letters, digits and underscores");
    if (!is_language(draft_.language)) fault("/language", "must be a language's code, such as en or en_US");
  }

  void check_components() {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < draft_.components.size(); ++i) {
      const auto place = at("/components", i);
      const auto& component = draft_.components[i];
      if (!seen.insert(component.type).second) fault(place + "/type", "is that of another component, too");
      check_component(place, component);
    }
    if (draft_.components.size() > kMaxComponents) fault("/components", "must be at most 4");
    if (!seen.contains("BODY")) fault("/components", "must have one of type BODY");
    if (is_authentication_ && !seen.contains("BUTTONS"))
      fault("/components", "must have one of type BUTTONS with a button of type OTP: the category is AUTHENTICATION");
  }

 private:
  void fault(std::string pointer, std::string detail) { faults_.add(std::move(pointer), std::move(detail)); }
  template <class T>
  void refuse(const std::string& place, const std::optional<T>& given, std::string_view why) {
    if (given) fault(place, "is not wanted: " + std::string(why));
  }

  void check_component(const std::string& place, const DraftComponent& component) {
    const auto& type = component.type;
    if (type == "HEADER")
      check_header(place, component);
    else if (type == "BODY")
      check_body(place, component);
    else if (type == "FOOTER")
      check_footer(place, component);
    else if (type == "BUTTONS")
      check_buttons(place, component);
    else
      fault(place + "/type", "must be HEADER, BODY, FOOTER or BUTTONS");
    if (type != "HEADER") refuse(place + "/format", component.format, "it is of a HEADER");
    if (type != "BUTTONS") refuse(place + "/buttons", component.buttons, "they are of BUTTONS");
    if (type != "BODY" || !is_authentication_)
      refuse(place + "/add_security_recommendation", component.add_security_recommendation,
             "it is of the BODY of the category AUTHENTICATION");
    if (type != "FOOTER" || !is_authentication_)
      refuse(place + "/code_expiration_minutes", component.code_expiration_minutes,
             "they are of the FOOTER of the category AUTHENTICATION");
  }

  void check_header(const std::string& place, const DraftComponent& header) {
    static constexpr std::array<std::string_view, 3> kMedia{"IMAGE", "VIDEO", "DOCUMENT"};
    if (is_authentication_) return fault(place, "is not wanted: the category is AUTHENTICATION");
    const auto format = header.format.value_or("");
    if (format == "TEXT") return check_header_text(place, header);
    if (std::ranges::find(kMedia, format) == kMedia.end() && format != "LOCATION")
      return fault(place + "/format", "must be TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION");
    refuse(place + "/text", header.text, "the format is " + format);
    if (format == "LOCATION") return refuse(place + "/example", header.example, "the format is LOCATION");
    const auto* handles = header.example && header.example->header_handle ? &*header.example->header_handle : nullptr;
    const bool is_one = handles && handles->size() == 1 && !handles->front().empty();
    if (!is_one || handles->front().size() > kMaxHandle)
      fault(place + "/example/header_handle", "must be the handle of one uploaded file, as an example");
  }

  void check_header_text(const std::string& place, const DraftComponent& header) {
    const auto variables =
        check_text(place + "/text", header.text, cloud_api::kMaxHeaderLength, header.text.value_or(""));
    if (variables.names.size() > 1) fault(place + "/text", "may have one variable");
    if (header.text.value_or("").find('\n') != std::string::npos) fault(place + "/text", "must be one line");
    const auto& example = header.example;
    if (is_named_) return check_examples(place, "header_text_named_params", variables, named_of(example, true));
    std::optional<std::vector<std::string>> given;
    if (example) given = example->header_text;
    check_examples(place, "header_text", variables, given);
  }

  void check_body(const std::string& place, const DraftComponent& body) {
    if (is_authentication_) {
      refuse(place + "/text", body.text, "the channel writes that of the category AUTHENTICATION");
      return refuse(place + "/example", body.example, "the channel writes that of the category AUTHENTICATION");
    }
    const auto text = body.text.value_or("");
    const auto variables = check_text(place + "/text", body.text, cloud_api::kMaxBodyLength, text);
    if (variables.at_start) fault(place + "/text", "must not begin with a variable");
    if (variables.at_end) fault(place + "/text", "must not end with a variable");
    if (variables.adjacent) fault(place + "/text", "must have words between its variables");
    const auto& example = body.example;
    if (is_named_) return check_examples(place, "body_text_named_params", variables, named_of(example, false));
    std::optional<std::vector<std::string>> given;
    if (example && example->body_text && !example->body_text->empty()) given = example->body_text->front();
    if (example && example->body_text && example->body_text->size() != 1)
      fault(place + "/example/body_text", "must be one list with an example for each variable");
    check_examples(place, "body_text/0", variables, given);
  }

  void check_footer(const std::string& place, const DraftComponent& footer) {
    if (is_authentication_) {
      refuse(place + "/text", footer.text, "the channel writes that of the category AUTHENTICATION");
      const auto minutes = footer.code_expiration_minutes.value_or(0);
      if (minutes < 1 || minutes > kMaxMinutes) fault(place + "/code_expiration_minutes", "must be 1 to 90");
      return;
    }
    const auto text = footer.text.value_or("");
    const auto variables = check_text(place + "/text", footer.text, cloud_api::kMaxFooterLength, text);
    if (!variables.names.empty()) fault(place + "/text", "must not have variables");
    if (text.find('\n') != text.npos) fault(place + "/text", "must be one line");
  }

  Variables check_text(const std::string& place, const std::optional<std::string>& given, std::size_t most,
                       std::string_view text) {
    if (!given) {
      fault(place, "is required");
      return {};
    }
    faults_.check_text(place, text, 1, most);
    if (text.size() > kMaxOctets * most) return {};  // nobody looks into what is far too long
    auto variables = variables_of(text);
    if (!variables.fault.empty()) {
      fault(place, variables.fault);
      return {};
    }
    if (!is_named_) check_positions(place, variables.names);
    if (is_named_)
      for (const auto& name : variables.names)
        if (std::ranges::all_of(name, is_digit))
          fault(place, "must name its variables, as {{first_name}}: parameterFormat is NAMED");
    return variables;
  }

  void check_positions(const std::string& place, const std::vector<std::string>& names) {
    for (const auto& name : names)
      if (!std::ranges::all_of(name, is_digit))
        return fault(place, "must number its variables, as {{1}}: parameterFormat is not NAMED");
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::ranges::find(names, std::to_string(i + 1)) == names.end())
        return fault(place, "must number its variables from {{1}} on without a gap");
  }

  using Named = std::optional<std::vector<NamedExample>>;
  static Named named_of(const std::optional<Examples>& example, bool is_header) {
    if (!example) return std::nullopt;
    return is_header ? example->header_text_named_params : example->body_text_named_params;
  }

  void check_examples(const std::string& place, std::string_view member, const Variables& variables,
                      const std::optional<std::vector<std::string>>& given) {
    const auto pointer = place + "/example/" + std::string(member);
    const auto count = given ? given->size() : 0;
    if (count != variables.names.size())
      fault(pointer, variables.names.empty() ? "is not wanted: the text has no variable"
                                             : "must have an example for each of the text's variables: " +
                                                   std::to_string(variables.names.size()));
    for (std::size_t i = 0; i < count; ++i) faults_.check_text(at(pointer, i), (*given)[i], 1, kMaxExample);
  }

  void check_examples(const std::string& place, std::string_view member, const Variables& variables,
                      const Named& given) {
    const auto pointer = place + "/example/" + std::string(member);
    auto missing = variables.names;
    for (std::size_t i = 0; given && i < given->size(); ++i) {
      const auto& [name, example] = (*given)[i];
      if (std::erase(missing, name) == 0)
        fault(at(pointer, i) + "/param_name", "is no variable of the text, or is there twice");
      faults_.check_text(at(pointer, i) + "/example", example, 1, kMaxExample);
    }
    for (const auto& name : missing) fault(pointer, "must have an example for the variable " + name);
  }

  void check_buttons(const std::string& place, const DraftComponent& component) {
    refuse(place + "/text", component.text, "buttons have texts of their own");
    refuse(place + "/example", component.example, "buttons have examples of their own");
    const auto pointer = place + "/buttons";
    static const std::vector<DraftButton> none;
    const auto& buttons = component.buttons ? *component.buttons : none;
    if (buttons.empty() || buttons.size() > kMaxButtons) fault(pointer, "must be 1 to 10 buttons");
    if (is_authentication_ && buttons.size() != 1) fault(pointer, "must be one of type OTP");
    std::set<std::string> texts;
    for (std::size_t i = 0; i < buttons.size(); ++i) {
      check_button(at(pointer, i), buttons[i]);
      const auto& text = buttons[i].text;
      if (text && !texts.insert(*text).second) fault(at(pointer, i) + "/text", "is that of another button, too");
    }
    check_counts(pointer, buttons);
  }

  void check_counts(const std::string& pointer, const std::vector<DraftButton>& buttons) {
    const std::array<std::pair<std::string_view, std::size_t>, 3> most{
        {{"URL", kMaxUrls}, {"PHONE_NUMBER", 1}, {"COPY_CODE", 1}}};
    for (const auto& [type, limit] : most) {
      const auto is_its = [type](const DraftButton& button) { return button.type == type; };
      if (static_cast<std::size_t>(std::ranges::count_if(buttons, is_its)) > limit)
        fault(pointer, "may have " + std::to_string(limit) + " of type " + std::string(type));
    }
    int groups = 0;
    for (std::size_t i = 0; i < buttons.size(); ++i)
      if (buttons[i].type == "QUICK_REPLY" && (i == 0 || buttons[i - 1].type != "QUICK_REPLY")) ++groups;
    if (groups > 1) fault(pointer, "must have those of type QUICK_REPLY one after the other");
  }

  void check_button(const std::string& place, const DraftButton& button) {
    const auto& type = button.type;
    const bool is_otp = type == "OTP";
    if (is_otp != is_authentication_)
      return fault(place + "/type",
                   is_otp ? "is of the category AUTHENTICATION" : "must be OTP: the category is AUTHENTICATION");
    if (type == "URL")
      check_url(place, button);
    else if (type == "PHONE_NUMBER")
      check_phone(place, button);
    else if (type == "COPY_CODE")
      check_code(place, button);
    else if (is_otp && button.otp_type != "COPY_CODE")
      fault(place + "/otp_type", "must be COPY_CODE");
    else if (!is_otp && type != "QUICK_REPLY")
      return fault(place + "/type", "must be QUICK_REPLY, URL, PHONE_NUMBER or COPY_CODE");
    check_button_text(place, button);
    const auto why = "the button is of type " + type;
    if (type != "URL") refuse(place + "/url", button.url, why);
    if (type != "PHONE_NUMBER") refuse(place + "/phone_number", button.phone_number, why);
    if (type != "URL" && type != "COPY_CODE") refuse(place + "/example", button.example, why);
    if (!is_otp) refuse(place + "/otp_type", button.otp_type, why);
  }

  // The channel gives buttons that copy a code their text.
  void check_button_text(const std::string& place, const DraftButton& button) {
    const bool has_own = button.type == "COPY_CODE" || button.type == "OTP";
    if (!button.text && !has_own) return fault(place + "/text", "is required");
    if (!button.text) return;
    faults_.check_text(place + "/text", *button.text, 1, kMaxButtonText);
    if (button.text->find_first_of("{}\n") != std::string::npos)
      fault(place + "/text", "must be one line without braces");
  }

  void check_url(const std::string& place, const DraftButton& button) {
    const auto url = button.url.value_or("");
    const bool is_http = url.starts_with("https://") || url.starts_with("http://");
    if (!is_http || url.size() > kMaxUrl || url.find_first_of(" \t\r\n") != url.npos)
      return fault(place + "/url", "must be a URL with http or https of at most 2000 octets");
    const auto variables = variables_of(url);
    if (!variables.fault.empty()) return fault(place + "/url", variables.fault);
    const bool is_plain = variables.names.empty();
    if (!is_plain && (variables.names.front() != "1" || variables.names.size() > 1 || !url.ends_with("{{1}}") ||
                      url.find("{{") != url.size() - 5))
      fault(place + "/url", "may have one variable, {{1}}, at its end");
    if (is_plain) return refuse(place + "/example", button.example, "the URL has no variable");
    check_one(place, button, kMaxUrl);
  }

  void check_phone(const std::string& place, const DraftButton& button) {
    std::string_view digits;
    if (button.phone_number) digits = *button.phone_number;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (digits.size() < 4 || digits.size() >= kMaxPhone || !std::ranges::all_of(digits, is_digit))
      fault(place + "/phone_number", "must be a phone number with its country's code, such as +15550051310");
  }

  void check_code(const std::string& place, const DraftButton& button) { check_one(place, button, kMaxCode); }

  void check_one(const std::string& place, const DraftButton& button, std::size_t most) {
    if (!button.example || button.example->size() != 1) return fault(place + "/example", "must be one example");
    faults_.check_text(place + "/example/0", button.example->front(), 1, most);
  }

  const Draft& draft_;
  const bool is_named_, is_authentication_;
  http::Faults& faults_;
};

// ---- the channel's format -------------------------------------------------------------------------------------------

void append(std::string& out, std::string_view name, const auto& value) {
  if (!value) return;
  if (out.back() != '{') out += ',';
  out.append("\"").append(name).append("\":");
  model::write(out, *value);
}

std::string written(const Examples& examples) {
  std::string out = "{";
  append(out, "header_text", examples.header_text);
  append(out, "header_handle", examples.header_handle);
  append(out, "header_text_named_params", examples.header_text_named_params);
  append(out, "body_text", examples.body_text);
  append(out, "body_text_named_params", examples.body_text_named_params);
  return out + "}";
}

std::string written(const DraftButton& button) {
  std::string out = "{";
  append(out, "type", std::optional(button.type));
  append(out, "text", button.text);
  append(out, "url", button.url);
  append(out, "phone_number", button.phone_number);
  append(out, "otp_type", button.otp_type);
  if (button.type == "COPY_CODE" && button.example)  // the channel wants it without an array
    append(out, "example", std::optional(button.example->front()));
  else
    append(out, "example", button.example);
  return out + "}";
}

std::string written(const DraftComponent& component) {
  std::string out = "{";
  append(out, "type", std::optional(component.type));
  append(out, "format", component.format);
  append(out, "text", component.text);
  if (component.example) append(out, "example", std::optional(model::RawJson{written(*component.example)}));
  if (component.buttons) {
    std::vector<model::RawJson> buttons;
    for (const auto& button : *component.buttons) buttons.push_back({written(button)});
    append(out, "buttons", std::optional(buttons));
  }
  append(out, "add_security_recommendation", component.add_security_recommendation);
  append(out, "code_expiration_minutes", component.code_expiration_minutes);
  return out + "}";
}

// Whether `known` has what `given` says, but for examples.
bool says(const json::object& given, const json::object& known) {
  for (const auto* name :
       {"type", "format", "text", "url", "phone_number", "add_security_recommendation", "code_expiration_minutes"}) {
    const auto* value = given.if_contains(name);
    const auto* other = known.if_contains(name);
    if (value && (!other || *value != *other)) return false;
  }
  return true;
}

bool has_same_buttons(const json::object& given, const json::object& known) {
  const auto* wanted = given.if_contains("buttons");
  const auto* there = known.if_contains("buttons");
  if (!wanted) return true;
  if (!there || !there->is_array() || there->get_array().size() != wanted->get_array().size()) return false;
  for (std::size_t i = 0; i < wanted->get_array().size(); ++i) {
    const auto& button = wanted->get_array()[i].get_object();
    const auto* other = there->get_array()[i].if_object();
    // The channel makes a URL of a button of type OTP.
    if (!other || (button.at("type") != "OTP" && !says(button, *other))) return false;
  }
  return true;
}

}  // namespace

void check(const Draft& draft, http::Faults& faults) {
  Check(draft, faults).check_names();
  check_components(draft, faults);
}

void check_components(const Draft& draft, http::Faults& faults) { Check(draft, faults).check_components(); }

ParameterFormat format_of(const model::RawJson& components) {
  model::Fault fault;
  const auto parsed = model::parse_leniently(components.text, fault);
  if (!parsed || !parsed->is_array()) return ParameterFormat::POSITIONAL;
  for (const auto& component : parsed->get_array()) {
    const auto* text = component.is_object() ? component.get_object().if_contains("text") : nullptr;
    if (!text || !text->is_string()) continue;
    for (const auto& name : variables_of(text->get_string()).names)
      if (!std::ranges::all_of(name, is_digit)) return ParameterFormat::NAMED;
  }
  return ParameterFormat::POSITIONAL;
}

std::string to_channel(const std::vector<DraftComponent>& components) {
  std::vector<model::RawJson> out;
  for (const auto& component : components) out.push_back({written(component)});
  return model::to_json(out);
}

bool is_made_of(const model::RawJson& known, const std::vector<DraftComponent>& components) {
  model::Fault fault;
  const auto parsed = model::parse_leniently(known.text, fault);
  const auto wanted = model::parse_leniently(to_channel(components), fault);
  if (!parsed || !parsed->is_array() || !wanted || parsed->get_array().size() != components.size()) return false;
  return std::ranges::all_of(wanted->get_array(), [&](const json::value& given) {
    return std::ranges::any_of(parsed->get_array(), [&](const json::value& other) {
      return other.is_object() && says(given.get_object(), other.get_object()) &&
             has_same_buttons(given.get_object(), other.get_object());
    });
  });
}

}  // namespace parley::conversations::templates
