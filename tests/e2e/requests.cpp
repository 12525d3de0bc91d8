#include "tests/e2e/requests.hpp"

#include <boost/json/serialize.hpp>
#include <set>

#include "tests/e2e/kinds.hpp"
#include "tests/e2e/specials.hpp"
#include "tests/support/signing.hpp"

namespace parley::e2e {

namespace json = boost::json;

int next_number() {
  static int count = 0;
  return ++count;
}

namespace {

std::string view(json::string_view text) { return {text.data(), text.size()}; }

bool is_id(const json::value& value) {
  return value.is_string() && model::Uuid::parse(view(value.get_string())).has_value();
}

// A text that no other request has, for a field whose values must differ.
std::optional<std::string> fresh_text(const std::string& field, const std::string& example) {
  const auto number = std::to_string(next_number());
  if (field == "name" || field == "label" || field == "organizationName" || field == "organization")
    return example.substr(0, 200) + " " + number;
  if (field == "email") return "e2e" + number + "@example.com";
  if (field == "shortcut") return "reply-" + number;
  if (field == "phone") return "+4915" + std::to_string(100'000'000 + std::stoi(number));
  return std::nullopt;
}

}  // namespace

void Requests::fill_path(Prepared& out, const std::map<std::string, std::string>& instead) {
  // That something can be done to.
  static const std::map<std::string, std::string> statuses{
      {"cancelImport", "running import"},       {"cancelBulkChange", "running bulk change"},
      {"startCampaign", "Draft campaign"},      {"unscheduleCampaign", "Scheduled campaign"},
      {"pauseCampaign", "Scheduled campaign"},  {"resumeCampaign", "Paused campaign"},
      {"cancelCampaign", "Scheduled campaign"}, {"retargetCampaign", "Finished campaign"}};
  auto path = out.operation->path;
  for (auto at = path.find('{'); at != path.npos; at = path.find('{')) {
    const auto end = path.find('}');
    const auto given = instead.find("path:" + path.substr(at + 1, end - at - 1));
    const auto kind = kind_of_path(out.operation->path);
    const bool reads = out.operation->method == "GET" || kind == "organization";
    path.replace(at, end - at + 1,
                 given != instead.end()                  ? given->second
                 : statuses.contains(out.operation->id)  ? fresh_id(statuses.at(out.operation->id))
                 : out.operation->id == "downloadMedia"  ? fresh_id("message with a file")
                 : out.operation->id == "updateTemplate" ? fresh_id("approved template")
                 : reads                                 ? id(kind)
                                                         : fresh_id(kind));
  }
  out.target = path;
}

// Only what is required, and what the test put there.
void Requests::fill_query(Prepared& out, const std::map<std::string, std::string>& instead) {
  for (const auto* parameter : parameters_of(system_, *out.operation)) {
    const auto name = view(parameter->at("name").as_string());
    if (view(parameter->at("in").as_string()) != "query") continue;
    const auto given = instead.find("query:" + name);
    const auto* required = parameter->if_contains("required");
    std::string value;
    if (given != instead.end())
      value = given->second;
    else if (!required || !required->as_bool())
      continue;
    else
      value = view(parameter->at("example").as_string());
    out.target += (out.target.find('?') == out.target.npos ? "?" : "&") + name + "=" + value;
  }
}

json::value Requests::filled(const json::value& example, const std::string& field, const std::string& at,
                             const std::map<std::string, std::string>& instead, Prepared& out) {
  if (example.is_object()) {
    json::object object;
    for (const auto& member : example.get_object())
      object[member.key()] =
          filled(member.value(), view(member.key()), at + support::pointer_step(view(member.key())), instead, out);
    return object;
  }
  if (example.is_array()) {
    json::array array;
    for (const auto& element : example.get_array())
      array.push_back(filled(element, field, at + "/" + std::to_string(array.size()), instead, out));
    return array;
  }
  if (const auto given = instead.find("body:" + at); given != instead.end()) return json::string(given->second);
  // What is added must not be there yet.
  if (is_id(example)) return json::string(field == "add" ? fresh_id("contact") : id(kind_of_field(field)));
  if (!example.is_string()) return example;
  if (const auto text = fresh_text(field, view(example.get_string()))) {
    out.fresh.push_back(*text);
    return json::string(*text);
  }
  return example;
}

void Requests::fill_body(Prepared& out, const std::map<std::string, std::string>& instead) {
  const auto contract = body_of(system_, *out.operation);
  json::value body;
  if (contract) body = filled(*contract->example, "", "", instead, out);
  Special{*this, body, out}.apply(instead);
  if (!contract) return;
  out.headers.emplace_back("Content-Type", contract->media_type);
  const bool is_text = contract->media_type != "application/json" && body.is_string();
  out.body = is_text ? view(body.get_string()) : json::serialize(body);
  if (out.operation->path.starts_with("/webhooks/"))
    out.headers.emplace_back("X-Hub-Signature-256", support::hub_signature(System::app_secret(), out.body));
}

Prepared Requests::make(const support::Operation& operation, const std::map<std::string, std::string>& instead) {
  Prepared out{&operation, {}, {}, {}, organization_.owner.api_key, {}};
  fill_path(out, instead);
  fill_query(out, instead);
  fill_body(out, instead);
  return out;
}

namespace {

void places_in(const json::value& value, const std::string& field, const std::string& at, std::vector<Place>& out) {
  if (value.is_object())
    for (const auto& member : value.get_object())
      places_in(member.value(), view(member.key()), at + support::pointer_step(view(member.key())), out);
  std::size_t i = 0;
  if (value.is_array())
    for (const auto& element : value.get_array()) places_in(element, field, at + "/" + std::to_string(i++), out);
  if (is_id(value)) out.push_back({"body:" + at, kind_of_field(field)});
}

}  // namespace

std::vector<Place> Requests::places(const support::Operation& operation) {
  std::vector<Place> out;
  for (const auto* parameter : parameters_of(system_, operation)) {
    const auto in = view(parameter->at("in").as_string()), name = view(parameter->at("name").as_string());
    const auto& schema = resolved(system_, parameter->at("schema"));
    if (in == "path") out.push_back({"path:" + name, kind_of_path(operation.path)});
    if (in == "query" && schema.as_object().contains("format") && schema.at("format") == json::value("uuid"))
      out.push_back({"query:" + name, kind_of_field(name)});
  }
  if (const auto body = body_of(system_, operation); body && body->media_type == "application/json")
    places_in(*body->example, "", "", out);
  return out;
}

Answer Requests::send(const Prepared& prepared, Headers more) {
  return send_as(prepared.api_key, prepared, std::move(more));
}

Answer Requests::send_as(const std::string& api_key, const Prepared& prepared, Headers more) {
  more.insert(more.end(), prepared.headers.begin(), prepared.headers.end());
  if (api_key == organization_.owner.api_key)
    return owner_(prepared.operation->method, prepared.target, prepared.body, std::move(more));
  return Client(system_, api_key)(prepared.operation->method, prepared.target, prepared.body, std::move(more));
}

}  // namespace parley::e2e
