#include "tests/simulator/graph.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "common/http/query.hpp"
#include "tests/simulator/signing.hpp"

namespace parley::simulator {

namespace json = boost::json;

namespace {

constexpr std::string_view kGoodCode = "code-";
constexpr std::string_view kToken = "EAAS";
constexpr std::size_t kTokenLetters = 40, kTokenSignature = 24;

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

json::object to_json(const PhoneNumber& number, const std::string& messaging_limit) {
  return {{"id", number.id},
          {"display_phone_number", number.display_phone_number},
          {"verified_name", number.verified_name},
          {"code_verification_status", number.code_verification_status},
          {"quality_rating", "GREEN"},
          {"name_status", "APPROVED"},
          {"status", "CONNECTED"},
          {"account_mode", "LIVE"},
          {"messaging_limit_tier", messaging_limit},
          {"whatsapp_business_manager_messaging_limit", messaging_limit},
          {"platform_type", number.pin ? "CLOUD_API" : "NOT_APPLICABLE"},
          {"throughput", {{"level", "STANDARD"}}}};
}

// Fields that only some of the channel's objects have.
constexpr std::array<std::string_view, 5> kSparse{"rejected_reason", "quality_score", "sub_category",
                                                  "previous_category", "message_send_ttl_seconds"};

json::object choose(const json::object& all, std::string_view fields) {
  if (fields.empty()) return all;
  json::object out;
  while (!fields.empty()) {
    const auto comma = fields.find(',');
    const auto name = fields.substr(0, comma);
    fields = comma == fields.npos ? std::string_view{} : fields.substr(comma + 1);
    if (const auto* value = all.if_contains(name))
      out[name] = *value;
    else if (std::find(kSparse.begin(), kSparse.end(), name) == kSparse.end())
      throw Refusal{100, "Tried accessing nonexisting field (" + std::string(name) + ")"};
  }
  out["id"] = all.at("id");
  return out;
}

// A page in the channel's paging: `after` is the cursor of the last element seen.
struct Page {
  std::size_t first = 0, limit = 25;
};

Page read_page(std::string_view limit, std::string_view after) {
  Page out;
  if (!limit.empty()) out.limit = std::strtoul(std::string(limit).c_str(), nullptr, 10);
  if (out.limit == 0 || out.limit > 1000) throw Refusal{100, "Param limit must be from 1 to 1000"};
  if (after.empty()) return out;
  if (after.find_first_not_of("0123456789") != after.npos) throw Refusal{100, "Invalid cursors values"};
  out.first = std::strtoul(std::string(after).c_str(), nullptr, 10);
  return out;
}

}  // namespace

http::Response graph_answer(const json::value& value) {
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

std::string make_token(std::string_view app_secret) {
  const auto letters = random_letters(kTokenLetters);
  return std::string(kToken) + letters + sign(app_secret, letters).substr(0, kTokenSignature);
}

bool is_token(std::string_view app_secret, std::string_view token) {
  if (token.size() != kToken.size() + kTokenLetters + kTokenSignature || !token.starts_with(kToken)) return false;
  const auto letters = token.substr(kToken.size(), kTokenLetters);
  return sign(app_secret, letters).substr(0, kTokenSignature) == token.substr(kToken.size() + kTokenLetters);
}

Graph::Graph(State& state, Webhooks& webhooks) : state_(state), webhooks_(webhooks), messages_(state, webhooks) {
  using enum http::Method;
  add(post, "/{version}/{id}/messages", &Graph::messages);
  add(get, "/{version}/oauth/access_token", &Graph::access_token, false);
  subscribe_ = routes_.size();
  add(post, "/{version}/{id}/subscribed_apps", &Graph::subscribe);
  add(del, "/{version}/{id}/subscribed_apps", &Graph::unsubscribe);
  add(get, "/{version}/{id}/subscribed_apps", &Graph::subscriptions);
  add(get, "/{version}/{id}/phone_numbers", &Graph::phone_numbers);
  add(post, "/{version}/{id}/register", &Graph::register_number);
  add(get, "/{version}/{id}/message_templates", &Graph::templates);
  add(post, "/{version}/{id}/message_templates", &Graph::make_template);
  add(del, "/{version}/{id}/message_templates", &Graph::delete_template);
  add(post, "/{version}/{id}/media", &Graph::upload);
  add(post, "/{version}/{id}/uploads", &Graph::begin_upload);
  add(get, "/whatsapp_business/attachments/", &Graph::download);
  add(get, "/{version}/{id}", &Graph::object);
  add(post, "/{version}/{id}", &Graph::change_object);
  add(del, "/{version}/{id}", &Graph::delete_object);
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

awaitable<http::Response> Graph::serve(http::Request& request, std::string_view body, std::uint64_t number) {
  const auto match = router_.match(request.method, request.path);
  if (!match.found) co_return graph_error(2500, "Unknown path components: " + std::string(request.path));
  const auto& route = routes_[match.route];
  auto token = request.field("Authorization");
  const std::string_view scheme = token.starts_with("OAuth ") ? "OAuth " : "Bearer ";
  const bool bearer = token.starts_with(scheme);
  if (bearer) token.remove_prefix(scheme.size());
  if (route.needs_token && !bearer)
    co_return graph_error(104, "An access token is required to request this resource.", 0, 401);
  if (route.needs_token && !is_token(state_.settings.app_secret, token))
    co_return graph_error(190, "Invalid OAuth access token - Cannot parse access token", 0, 401);
  const Call call{match.parameters.values[1],    http::parse_query(request.query), body,  request.field("Host"),
                  request.field("Content-Type"), request.field("file_offset"),     number};
  try {
    if (match.route == subscribe_ && state_.behaviour.verify_callbacks) {
      auto wanted = read_strings(body).value_or(std::map<std::string, std::string>());
      const auto url = wanted["override_callback_uri"];
      const bool verified = url.empty() || co_await webhooks_.verify(url, wanted["verify_token"]);
      if (!verified) co_return graph_error(2200, "(#2200) Callback verification failed");
    }
    co_return (this->*route.handler)(call);
  } catch (const Refusal& refusal) {
    co_return graph_error(refusal);
  }
}

// A code is valid once. Its prefix marks it as issued by a sign-up.
http::Response Graph::access_token(const Call& call) {
  if (call.parameter("client_id") != state_.settings.app_id)
    return graph_error(101, "Error validating application. Cannot get application info due to a system error.");
  if (call.parameter("client_secret") != state_.settings.app_secret)
    return graph_error(1, "Error validating client secret.");
  const std::string code(call.parameter("code"));
  if (!code.starts_with(kGoodCode)) return graph_error(100, "Invalid verification code format.", 36008);
  if (!state_.spent_codes.insert(code).second) return graph_error(100, "This authorization code has been used.", 36009);
  return graph_answer({{"access_token", make_token(state_.settings.app_secret)}, {"token_type", "bearer"}});
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
  return graph_answer({{"success", true}});
}

http::Response Graph::unsubscribe(const Call& call) {
  const auto account = state_.accounts.find(call.id);
  if (account == state_.accounts.end()) return unknown_object(call.id);
  account->second.reset();
  return graph_answer({{"success", true}});
}

http::Response Graph::subscriptions(const Call& call) {
  const auto account = state_.accounts.find(call.id);
  if (account == state_.accounts.end()) return unknown_object(call.id);
  json::array data;
  if (account->second) {
    json::object app{{"whatsapp_business_api_data", {{"id", state_.settings.app_id}, {"name", "Application"}}}};
    if (const auto& url = account->second->override_callback_uri; !url.empty()) app["override_callback_uri"] = url;
    data.push_back(std::move(app));
  }
  return graph_answer({{"data", data}});
}

http::Response Graph::phone_numbers(const Call& call) {
  if (!state_.accounts.contains(call.id)) return unknown_object(call.id);
  json::array data;
  for (const auto& [id, number] : state_.numbers)
    if (number.business_account_id == call.id)
      data.push_back(choose(to_json(number, state_.behaviour.messaging_limit), call.parameter("fields")));
  return graph_answer({{"data", data}});
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
  return graph_answer({{"success", true}});
}

http::Response Graph::messages(const Call& call) {
  const auto at = state_.numbers.find(call.id);
  if (at == state_.numbers.end()) return unknown_object(call.id);
  return messages_.take(at->second, call.body, call.number);
}

http::Response Graph::templates(const Call& call) {
  if (!state_.accounts.contains(call.id)) return unknown_object(call.id);
  const auto page = read_page(call.parameter("limit"), call.parameter("after"));
  std::vector<const Template*> all;
  for (const auto* each : state_.templates.of(call.id)) {
    const auto is = [&](std::string_view name, const std::string& value) {
      const auto wanted = call.parameter(name);
      return wanted.empty() || wanted == value;
    };
    if (is("status", each->status) && is("name", each->name) && is("language", each->language) &&
        is("category", each->category))
      all.push_back(each);
  }
  json::array data;
  const auto end = std::min(all.size(), page.first + page.limit);
  for (auto i = page.first; i < end; ++i) data.push_back(choose(all[i]->to_json(), call.parameter("fields")));
  json::object out;
  json::object paging;
  if (!data.empty()) paging["cursors"] = {{"before", std::to_string(page.first)}, {"after", std::to_string(end)}};
  if (end < all.size()) {
    std::string next = "http://" + std::string(call.host) + "/v20.0/" + std::string(call.id) + "/message_templates?";
    for (const auto& [name, value] : call.query) {
      if (name == "after") continue;
      http::append_encoded(next, name);
      next += '=';
      http::append_encoded(next, value);
      next += '&';
    }
    paging["next"] = next + "after=" + std::to_string(end);
  }
  out["data"] = std::move(data);
  if (!paging.empty()) out["paging"] = std::move(paging);
  return graph_answer(out);
}

http::Response Graph::object(const Call& call) {
  if (const auto* media = state_.media.find(call.id)) return show_media(call, *media);
  if (const auto* found = state_.templates.find(call.id))
    return graph_answer(choose(found->to_json(), call.parameter("fields")));
  const auto at = state_.numbers.find(call.id);
  if (at == state_.numbers.end()) return unknown_object(call.id);
  return graph_answer(choose(to_json(at->second, state_.behaviour.messaging_limit), call.parameter("fields")));
}

}  // namespace parley::simulator
