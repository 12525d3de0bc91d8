#include "conversations/campaigns/rendering/template_check.hpp"

#include <algorithm>

#include "conversations/campaigns/rendering/text.hpp"

namespace parley::conversations::rendering {

namespace {

http::Problem conflict(std::string detail, std::vector<model::Fault> errors = {}) {
  return http::Problem({.status = 409, .detail = std::move(detail), .errors = std::move(errors)});
}

// Returns "" for a member of unexpected shape: the channel's objects are not validated here.
std::string text_of(const boost::json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  const auto* text = value ? value->if_string() : nullptr;
  return text ? std::string(*text) : std::string();
}

// Returns the names between braces, each once: "1", "first_name".
std::vector<std::string> variables_of(std::string_view text) {
  std::vector<std::string> out;
  std::string fault;
  for (const auto& segment : parse_text(text, fault))
    if (segment.kind == Segment::Kind::value && std::find(out.begin(), out.end(), segment.text) == out.end())
      out.push_back(segment.text);
  return out;
}

bool is_place(const std::string& name) { return name.find_first_not_of("0123456789") == name.npos; }

// Compares one message with one template.
class Comparison {
 public:
  Comparison(const TemplateMessage& message, const std::string& link) : message_(message), link_(link) {}

  std::vector<model::Fault> compare(const boost::json::value& components) {
    const auto* list = components.if_array();
    boost::json::object header, body;
    boost::json::array buttons;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
      const auto* component = (*list)[i].if_object();
      if (!component) continue;
      const auto type = text_of(*component, "type");
      if (type == "HEADER") header = *component;
      if (type == "BODY") body = *component;
      if (const auto* value = component->if_contains("buttons"); type == "BUTTONS" && value && value->is_array())
        buttons = value->get_array();
      if (type == "CAROUSEL" || type == "LIMITED_TIME_OFFER")
        fault("/name", "has a component that campaigns do not send: " + type);
    }
    compare_header(text_of(header, "format"), text_of(header, "text"));
    compare_body(variables_of(text_of(body, "text")));
    compare_buttons(buttons);
    return std::move(faults_);
  }

 private:
  void fault(std::string pointer, std::string detail) { faults_.push_back({std::move(pointer), std::move(detail)}); }

  void compare_header(const std::string& format, const std::string& text) {
    static const std::vector<std::pair<std::string, HeaderType>> kMedia{
        {"IMAGE", HeaderType::Image}, {"VIDEO", HeaderType::Video}, {"DOCUMENT", HeaderType::Document}};
    const auto& header = message_.header;
    const auto variables = variables_of(text);
    const auto medium =
        std::find_if(kMedia.begin(), kMedia.end(), [&](const auto& each) { return each.first == format; });
    if (medium != kMedia.end()) {
      if (!header || header->type != medium->second)
        fault("/header", "must be of type " + std::string(model::name_of(medium->second)) + ", as in the template");
    } else if (!variables.empty()) {
      if (!header || header->type != HeaderType::Text)
        fault("/header", "must be of type Text: the template's header has the variable " + variables.front());
      else if (header->name.value_or("") != (is_place(variables.front()) ? "" : variables.front()))
        fault("/header/name",
              is_place(variables.front()) ? "the variable has no name" : "must be " + variables.front());
    } else if (header) {
      fault("/header", "is not wanted: the template's header has no variable");
    } else if (format == "LOCATION") {
      fault("/name", "has a location above its text, which campaigns do not send");
    }
  }

  void compare_body(const std::vector<std::string>& wanted) {
    std::vector<std::string> given;
    for (const auto& parameter : message_.parameters)
      given.push_back(parameter.name.empty() ? std::to_string(given.size() + 1) : parameter.name);
    for (const auto& name : wanted)
      if (std::find(given.begin(), given.end(), name) == given.end())
        fault("/parameters", "needs a text for the template's variable " + name);
    for (const auto& name : given)
      if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
        fault(at_key("/parameters", name), "is not a variable of the template");
  }

  void compare_buttons(const boost::json::array& wanted) {
    const auto& given = message_.buttons;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto at = "/buttons/" + std::to_string(i);
      const auto index = static_cast<std::size_t>(given[i].index);
      const auto* button = index < wanted.size() ? wanted[index].if_object() : nullptr;
      if (!button)
        fault(at + "/index", "is not that of a button: the template has " + std::to_string(wanted.size()));
      else
        compare_button(at, given[i], *button);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto is_its = [i](const TemplateButton& each) { return each.index == static_cast<std::int64_t>(i); };
      const auto* button = wanted[i].if_object();
      if (!button || std::any_of(given.begin(), given.end(), is_its)) continue;
      if (const auto what = want_of(*button); what == "url" || what == "code")
        fault("/buttons", "needs a " + what + " for the template's button with the index " + std::to_string(i));
    }
  }

  // Returns "" if the button needs no value.
  static std::string want_of(const boost::json::object& button) {
    const auto type = text_of(button, "type");
    if (type == "URL" && !variables_of(text_of(button, "url")).empty()) return "url";
    if (type == "OTP") return "url";
    if (type == "COPY_CODE") return "code";
    return type == "QUICK_REPLY" ? "payload" : "";
  }

  void compare_button(const std::string& at, const TemplateButton& given, const boost::json::object& button) {
    const auto wanted = want_of(button);
    const auto what = given.url ? "url" : given.code ? "code" : "payload";
    if (what != wanted)
      return fault(at, wanted.empty() ? "is not wanted: the template's button has nothing to be told"
                                      : "must have a " + wanted + ", as the template's button wants");
    const auto url = text_of(button, "url");
    if (given.url && is_url(*given.url) && !url.starts_with(link_ + "{{"))
      fault(at + "/url", "must be what stands for the variable in " + url +
                             ": only the URL of a template whose button leads to " + link_ + "{{1}} becomes a link");
  }

  const TemplateMessage& message_;
  const std::string& link_;
  std::vector<model::Fault> faults_;
};

}  // namespace

std::vector<model::Fault> compare(const TemplateMessage& message, const boost::json::value& components,
                                  const std::string& link) {
  return Comparison(message, link).compare(components);
}

TemplateCheck::Wanted TemplateCheck::wanted_of(const std::optional<model::RawJson>& message,
                                               const std::vector<model::CampaignVariant>& variants) {
  Wanted wanted;
  const auto add = [&](std::string pointer, const model::RawJson& json) {
    auto read = read_message(json);
    if (auto* form = std::get_if<TemplateMessage>(&read)) wanted.emplace_back(std::move(pointer), std::move(*form));
  };
  if (message) add("/message/template", *message);
  for (std::size_t i = 0; i < variants.size(); ++i)
    add("/variants/" + std::to_string(i) + "/message/template", variants[i].message);
  return wanted;
}

awaitable<void> TemplateCheck::check(model::Uuid organization, model::RawJson message,
                                     std::vector<model::CampaignVariant> variants) {
  const auto wanted = wanted_of(message, variants);
  co_await catalogue_.refresh(organization, templates::Kind::PhoneNumbers, templates::Catalogue::kGoodLimit);
  if (wanted.empty()) co_return;

  auto faults = co_await faults_of(organization, wanted, templates::Catalogue::kGood);
  // The template may have been created or approved since.
  if (!faults.empty()) faults = co_await faults_of(organization, wanted, templates::Catalogue::kGoodToRefuse);
  if (!faults.empty()) {
    auto detail = "the channel would refuse this: " + faults.front().pointer + ' ' + faults.front().detail;
    throw conflict(std::move(detail), std::move(faults));
  }
}

awaitable<std::vector<model::Fault>> TemplateCheck::faults_of(model::Uuid organization, Wanted wanted,
                                                              std::chrono::seconds good_for) {
  const auto refreshed = co_await catalogue_.refresh(organization, templates::Kind::Templates, good_for);
  if (refreshed.away.empty() && !refreshed.business_account_id)
    throw conflict("nothing can be sent yet: connect a messaging business account first");
  if (!refreshed.is_there)
    throw http::Problem({.status = 503,
                         .detail = "the account's templates are not known, and " + refreshed.away +
                                   " cannot be asked for them: try again",
                         .head = "Retry-After: 15\r\n"});
  std::vector<model::Fault> faults;
  for (auto& [pointer, form] : wanted)
    co_await check(organization, *refreshed.business_account_id, pointer, std::move(form), faults);
  co_return faults;
}

awaitable<std::string> TemplateCheck::check_names(model::Uuid organization, std::optional<model::RawJson> message,
                                                  std::vector<model::CampaignVariant> variants) {
  const auto wanted = wanted_of(message, variants);
  if (wanted.empty()) co_return "";
  std::vector<model::Fault> faults;
  // The template may have been created since.
  for (const std::chrono::seconds good_for :
       {std::chrono::seconds(templates::Catalogue::kGood), std::chrono::seconds(templates::Catalogue::kGoodToRefuse)}) {
    const auto refreshed = co_await catalogue_.refresh(organization, templates::Kind::Templates, good_for);
    if (!refreshed.is_there) co_return refreshed.away;
    faults.clear();
    for (const auto& [pointer, form] : wanted)
      co_await find(organization, *refreshed.business_account_id, pointer, form, faults);
    if (faults.empty()) co_return "";
    if (!refreshed.away.empty()) co_return refreshed.away;
  }
  throw http::Problem(
      {.status = 400,
       .detail = "the account has no such template: " + faults.front().pointer + ' ' + faults.front().detail,
       .errors = std::move(faults)});
}

awaitable<std::optional<templates::KnownTemplate>> TemplateCheck::find(model::Uuid organization,
                                                                       std::string business_account_id,
                                                                       std::string pointer,
                                                                       const TemplateMessage& message,
                                                                       std::vector<model::Fault>& faults) {
  auto known = co_await store_.find_templates(organization, std::move(business_account_id), message.name);
  if (known.empty()) {
    faults.push_back({pointer + "/name", "is no template of the account"});
    co_return std::nullopt;
  }
  const auto is_it = [&](const templates::KnownTemplate& each) { return each.language == message.language; };
  const auto found = std::find_if(known.begin(), known.end(), is_it);
  if (found != known.end()) co_return std::move(*found);
  std::string languages;
  for (const auto& each : known) languages.append(languages.empty() ? "" : ", ").append(each.language);
  faults.push_back({pointer + "/language", "is not one of the template's: " + languages});
  co_return std::nullopt;
}

awaitable<void> TemplateCheck::check(model::Uuid organization, std::string business_account_id, std::string pointer,
                                     TemplateMessage message, std::vector<model::Fault>& faults) {
  const auto found = co_await find(organization, std::move(business_account_id), pointer, message, faults);
  if (!found) co_return;
  if (found->status != "APPROVED")
    faults.push_back({pointer + "/name", "is " + found->status + ": only an APPROVED template is sent"});
  model::Fault fault;
  const auto components = model::parse_leniently(found->components.text, fault);
  if (!components) co_return;
  for (auto& each : compare(message, *components, link_))
    faults.push_back({pointer + each.pointer, std::move(each.detail)});
}

}  // namespace parley::conversations::rendering
