#include "tests/simulator/graph.hpp"

#include <sodium.h>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "common/http/query.hpp"
#include "common/model/json.hpp"

namespace parley::simulator {

namespace json = boost::json;

namespace {

constexpr std::string_view kGoodCode = "code-";

std::string random_letters(std::size_t count) {
  static constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += letters[randombytes_uniform(letters.size())];
  return out;
}

http::Response answer(const json::value& value) {
  http::Response response;
  response.body = json::serialize(value);
  return response;
}

http::Response unknown_object(std::string_view id) {
  return graph_error(
      100,
      "Unsupported request. Object with ID '" + std::string(id) +
          "' does not exist, cannot be loaded due to missing permissions, or does not support this operation.",
      33);
}

// The string members of a body; other members are passed over.
std::optional<std::map<std::string, std::string>> read_strings(std::string_view body) {
  std::map<std::string, std::string> out;
  if (body.empty()) return out;
  model::Fault fault;
  const auto value = model::parse(body, fault);
  if (!value || !value->is_object()) return std::nullopt;
  for (const auto& [name, member] : value->get_object())
    if (const auto* text = member.if_string()) out.emplace(std::string(name), std::string(*text));
  return out;
}

json::object to_json(const PhoneNumber& number) {
  return {{"id", number.id},
          {"display_phone_number", number.display_phone_number},
          {"verified_name", number.verified_name},
          {"code_verification_status", number.code_verification_status},
          {"quality_rating", "GREEN"},
          {"platform_type", number.pin ? "CLOUD_API" : "NOT_APPLICABLE"}};
}

}  // namespace

http::Response graph_error(std::int64_t code, std::string_view message, std::int64_t subcode, unsigned status) {
  json::object error{{"message", message}, {"type", "OAuthException"}, {"code", code}};
  if (subcode != 0) error["error_subcode"] = subcode;
  error["fbtrace_id"] = "A" + random_letters(22);
  http::Response response = answer(json::object{{"error", error}});
  response.status = status;
  return response;
}

Graph::Graph(State& state) : state_(state) {
  add(http::Method::get, "/{version}/oauth/access_token", &Graph::access_token, false);
  add(http::Method::post, "/{version}/{id}/subscribed_apps", &Graph::subscribe);
  add(http::Method::get, "/{version}/{id}/phone_numbers", &Graph::phone_numbers);
  add(http::Method::post, "/{version}/{id}/register", &Graph::register_number);
  add(http::Method::get, "/{version}/{id}", &Graph::number);
}

void Graph::add(http::Method method, std::string_view pattern, Handler handler, bool needs_token) {
  router_.add(method, pattern);
  routes_.push_back({handler, needs_token});
}

std::string_view Graph::Call::parameter(std::string_view name) const {
  for (const auto& [known, value] : query)
    if (known == name) return value;
  return {};
}

awaitable<http::Response> Graph::serve(http::Request& request) {
  const auto match = router_.match(request.method, request.path);
  if (!match.found) co_return graph_error(2500, "Unknown path components: " + std::string(request.path));
  const auto& route = routes_[match.route];
  constexpr std::string_view scheme = "Bearer ";
  auto token = request.field("Authorization");
  const bool bearer = token.starts_with(scheme);
  if (bearer) token.remove_prefix(scheme.size());
  if (route.needs_token && !bearer)
    co_return graph_error(104, "An access token is required to request this resource.", 0, 401);
  if (route.needs_token && !state_.tokens.contains(token))
    co_return graph_error(190, "Invalid OAuth access token - Cannot parse access token", 0, 401);
  const auto body = co_await request.body();
  const Call call{match.parameters.values[1], http::parse_query(request.query), body};
  co_return (this->*route.handler)(call);
}

// A code is good once. What it begins with tells those that a sign-up gave from those that nobody gave.
http::Response Graph::access_token(const Call& call) {
  if (call.parameter("client_id") != state_.settings.app_id)
    return graph_error(101, "Error validating application. Cannot get application info due to a system error.");
  if (call.parameter("client_secret") != state_.settings.app_secret)
    return graph_error(1, "Error validating client secret.");
  const std::string code(call.parameter("code"));
  if (!code.starts_with(kGoodCode)) return graph_error(100, "Invalid verification code format.", 36008);
  if (!state_.spent_codes.insert(code).second) return graph_error(100, "This authorization code has been used.", 36009);
  const auto token = "EAAS" + random_letters(60);
  state_.tokens.insert(token);
  return answer({{"access_token", token}, {"token_type", "bearer"}});
}

http::Response Graph::subscribe(const Call& call) {
  const auto account = state_.accounts.find(call.id);
  if (account == state_.accounts.end()) return unknown_object(call.id);
  auto body = read_strings(call.body);
  if (!body) return graph_error(100, "Invalid parameter");
  auto& members = *body;
  if (!members["override_callback_uri"].empty() && members["verify_token"].empty())
    return graph_error(100, "(#100) Param verify_token must be a non-empty string");
  account->second = Subscription{members["override_callback_uri"], members["verify_token"]};
  return answer({{"success", true}});
}

http::Response Graph::phone_numbers(const Call& call) {
  if (!state_.accounts.contains(call.id)) return unknown_object(call.id);
  json::array data;
  for (const auto& [id, number] : state_.numbers)
    if (number.business_account_id == call.id) data.push_back(to_json(number));
  return answer({{"data", data}});
}

http::Response Graph::register_number(const Call& call) {
  const auto at = state_.numbers.find(call.id);
  if (at == state_.numbers.end()) return unknown_object(call.id);
  auto body = read_strings(call.body);
  if (!body || (*body)["messaging_product"] != "whatsapp")
    return graph_error(100, "(#100) The parameter messaging_product is required.");
  const auto& pin = (*body)["pin"];
  if (pin.size() != 6 || pin.find_first_not_of("0123456789") != pin.npos)
    return graph_error(100, "(#100) Param pin must be a string with length 6");
  if (at->second.pin && *at->second.pin != pin)
    return graph_error(133005, "(#133005) Two step verification PIN Mismatch");
  at->second.pin = pin;
  return answer({{"success", true}});
}

http::Response Graph::number(const Call& call) {
  const auto at = state_.numbers.find(call.id);
  if (at == state_.numbers.end()) return unknown_object(call.id);
  const auto all = to_json(at->second);
  auto fields = call.parameter("fields");
  if (fields.empty()) return answer(all);
  json::object chosen;
  while (!fields.empty()) {
    const auto comma = fields.find(',');
    const auto name = fields.substr(0, comma);
    fields = comma == fields.npos ? std::string_view{} : fields.substr(comma + 1);
    const auto* value = all.if_contains(name);
    if (!value)
      return graph_error(100, "(#100) Tried accessing nonexisting field (" + std::string(name) +
                                  ") on node type (WhatsAppBusinessPhoneNumber)");
    chosen[name] = *value;
  }
  chosen["id"] = at->first;
  return answer(chosen);
}

}  // namespace parley::simulator
