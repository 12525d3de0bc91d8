#include "tests/integration/segments_model.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cctype>
#include <regex>

#include "common/model/timestamp.hpp"

namespace parley::contacts_tests {

namespace json = boost::json;
using model::Uuid;

namespace {

// What PostgreSQL's ->> gives; the test's numbers are whole.
std::optional<std::string> text_of(const Person& person, const std::string& attribute) {
  const auto* value = person.attributes.if_contains(attribute);
  if (!value || value->is_null()) return std::nullopt;
  return value->is_string() ? string(*value) : json::serialize(*value);
}

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return text;
}

bool is_text(const Person& person, const json::object& filter) {
  const auto* value = person.attributes.if_contains(filter.at("attribute").as_string());
  if (!value || value->is_null() || value->is_structured()) return false;
  const auto text = *text_of(person, string(filter.at("attribute")));
  const auto op = string(filter.at("operator"));
  return std::ranges::any_of(filter.at("values").as_array(), [&](const json::value& wanted) {
    const auto one = string(wanted);
    if (op == "contains") return lowered(text).find(lowered(one)) != std::string::npos;
    if (op == "startsWith") return lowered(text).starts_with(lowered(one));
    return text == one;
  });
}

bool is_number(const Person& person, const json::object& filter) {
  static const std::regex number("-?[0-9]+(\\.[0-9]+)?");
  const auto text = text_of(person, string(filter.at("attribute")));
  if (!text || !std::regex_match(*text, number)) return false;
  const auto is = std::stod(*text);
  const auto bound = [&](const char* name, auto holds) {
    const auto* value = filter.if_contains(name);
    return !value || holds(value->to_number<double>());
  };
  return bound("atLeast", [&](double b) { return is >= b; }) && bound("moreThan", [&](double b) { return is > b; }) &&
         bound("atMost", [&](double b) { return is <= b; }) && bound("lessThan", [&](double b) { return is < b; });
}

bool is_date(const Person& person, const json::object& filter) {
  static const std::regex date("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ][^\\n]*)?");
  const auto text = text_of(person, string(filter.at("attribute")));
  if (!text || !std::regex_match(*text, date)) return false;
  const auto is = text->substr(0, 10);
  if (const auto* from = filter.if_contains("from"); from && is < string(*from)) return false;
  if (const auto* to = filter.if_contains("to"); to && is > string(*to)) return false;
  if (const auto* from = filter.if_contains("fromDays"); from && is < day(from->as_int64())) return false;
  if (const auto* to = filter.if_contains("toDays"); to && is > day(to->as_int64())) return false;
  return true;
}

bool is_within(std::optional<std::int64_t> last, const json::object& filter) {
  if (!last) return false;
  if (const auto* from = filter.if_contains("from"); from && day(*last) < string(*from)) return false;
  if (const auto* from = filter.if_contains("fromDays"); from && *last < from->as_int64()) return false;
  const auto* to = filter.if_contains("toDays");
  return !to || *last <= to->as_int64();
}

bool did(const Person& person, const json::object& filter) {
  return std::ranges::any_of(filter.at("campaignIds").as_array(), [&](const auto& id) {
    const auto found = person.did.find(*Uuid::parse(string(id)));
    return found != person.did.end() && found->second.contains(string(filter.at("did")));
  });
}

bool is_yes_no(const Person& person, const json::object& filter) {
  static const std::set<std::string> yes{"true", "True", "TRUE", "yes", "Yes", "YES"},
      no{"false", "False", "FALSE", "no", "No", "NO"};
  const auto* value = person.attributes.if_contains(filter.at("attribute").as_string());
  if (!value || value->is_structured()) return false;
  const auto text = text_of(person, string(filter.at("attribute")));
  return text && (filter.at("is").as_bool() ? yes : no).contains(*text);
}

bool has_one(const std::set<Uuid>& has, const json::value& ids) {
  return std::ranges::any_of(ids.as_array(), [&](const auto& id) { return has.contains(*Uuid::parse(string(id))); });
}

}  // namespace

std::string day(std::int64_t from_today) {
  const auto moment = model::Timestamp{model::Timestamp::now().milliseconds_since_epoch + from_today * 86'400'000};
  return moment.text().substr(0, 10);
}

bool holds(const Person& person, const json::value& value) {
  const auto& filter = value.as_object();
  const auto type = string(filter.at("type"));
  const auto is = [&](const json::value& condition) { return holds(person, condition); };
  if (type == "all") return std::ranges::all_of(filter.at("conditions").as_array(), is);
  if (type == "any") return std::ranges::any_of(filter.at("conditions").as_array(), is);
  if (type == "not") return !is(filter.at("condition"));
  if (type == "text") return is_text(person, filter);
  if (type == "number") return is_number(person, filter);
  if (type == "date") return is_date(person, filter);
  if (type == "yesNo") return is_yes_no(person, filter);
  if (type == "present") return !text_of(person, string(filter.at("attribute"))).value_or("").empty();
  if (type == "tag") return has_one(person.tags, filter.at("tagIds"));
  if (type == "list") return has_one(person.lists, filter.at("listIds"));
  if (type == "lastInbound") return is_within(person.inbound, filter);
  if (type == "lastCampaign") return is_within(person.campaign, filter);
  if (type == "campaign") return did(person, filter);
  const auto& statuses = filter.at("statuses").as_array();
  return std::ranges::any_of(statuses, [&](const auto& status) { return string(status) == person.status; });
}

}  // namespace parley::contacts_tests
