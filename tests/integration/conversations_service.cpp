#include "tests/integration/conversations_service.hpp"
#include "tests/support/loop.hpp"

#include "tests/support/process.hpp"

namespace parley::conversations_tests {

namespace {

constexpr auto kLoopback = "127.0.0.1";

}  // namespace

// ---- the neighbours -------------------------------------------------------------------------------------------------

Neighbour::Neighbour(chassis::Process& process)
    : server_(process.context(), process.wheel(), {boost::asio::ip::make_address(kLoopback), 0}, {},
              {[this](http::Request& request) { return serve(request); },
               [](unsigned status_, std::string_view, std::string_view) {
                 return http::to_response({.status = status_, .detail{}}, "", "");
               }}) {
  server_.start();
}

void Neighbour::stop() {
  server_.stop_accepting();
  server_.close_all();
}

std::vector<std::string> Neighbour::asked(const std::string& path) const {
  std::vector<std::string> out;
  for (const auto& target : targets)
    if (target.substr(0, target.find('?')) == path) out.push_back(target);
  return out;
}

awaitable<http::Response> Neighbour::serve(http::Request& request) {
  targets.emplace_back(request.target);
  callers.emplace_back(request.field(identity::kField));
  if (when_asked) when_asked();
  const auto sent = co_await request.body();
  bodies.emplace_back(sent);
  const auto special = answers.find(std::string(request.path));
  http::Response response;
  response.status = special == answers.end() ? status : special->second.status;
  response.content_type = "text/plain";
  response.body = special == answers.end() ? body : special->second.body;
  co_return response;
}

// ---- the service ----------------------------------------------------------------------------------------------------

Service::Service(const std::string& redis_url)
    : process_(support::process_settings("conversations", {"gateway", "contacts", "analytics"})),
      contacts(process_),
      organizations(process_),
      pool_(process_.context(), database.settings()),
      redis_(process_.context().get_executor(),
             redis::Settings{.url = redis_url.empty() ? "redis://127.0.0.1" : redis_url}),
      feed_(process_, pool_, {"analytics"}),
      contacts_peer_(process_, "contacts", contacts.url()),
      organizations_peer_(process_, "organizations", organizations.url()),
      accounts_(process_, organizations_peer_),
      addresses_(accounts_, contacts_peer_),
      messages_(pool_),
      messages_api_(process_, messages_, addresses_),
      search_api_(process_, pool_),
      store_(pool_, counts),
      api_(process_, store_, messages_, addresses_, accounts_, contacts_peer_, organizations_peer_),
      notes_(pool_),
      notes_api_(process_, notes_, organizations_peer_) {
  organizations.answers["/internal/accounts"] = {404, "{}"};
  pool_.start();
  if (!redis_url.empty()) redis_.open();
  turn_until([&] { return pg_tests::is_connected(pool_) && (redis_url.empty() || redis_.up()); });
}

Service::~Service() {
  contacts.stop();
  organizations.stop();
  turn_until([&] { return contacts.stopped() && organizations.stopped(); });
}

void Service::connect(const std::string& contact_status) {
  organizations.answers["/internal/accounts"] = {
      200, R"({"organizationId":")" + organization.text() +
               R"(","businessAccountId":"1","phoneNumberId":"123","displayPhoneNumber":"+1","verifiedName":"Shop",)"
               R"("accessToken":"secret","webhookSecret":"other"})"};
  contacts.answers["/internal/contacts/addresses"] = {
      200, contact.text() + R"( {"phone":"+4915100000001","channelUserId":null,"status":")" + contact_status +
               "\",\"name\":\"Ada\"}\n"};
}

void Service::open_window(const Uuid& conversation, int hours) {
  database.execute("UPDATE conversation SET last_inbound_at = now() + interval '1 hour' * " +
                   std::to_string(hours - 24) + " WHERE id = " + quoted(conversation));
}

struct Service::Asked : support::StoredRequest {
  using support::StoredRequest::StoredRequest;
  std::optional<http::Response> response;
};

http::Response Service::send(http::Method method, const std::string& target, const std::string& text,
                             const std::string& token) {
  Asked asked(method, target, text, token, extra);
  const auto serve = [](chassis::Process& process, Asked& one) -> awaitable<void> {
    one.response = co_await process.pipeline().serve(one.request);
  };
  process_.spawn("a request", serve(process_, asked));
  turn_until([&] { return asked.response.has_value(); });
  return std::move(*asked.response);
}

std::vector<http::Response> Service::post_all(const std::vector<std::pair<std::string, std::string>>& requests,
                                              std::vector<awaitable<bool>> meanwhile) {
  const auto token = member_token();
  std::vector<std::unique_ptr<Asked>> all;
  const auto serve = [](chassis::Process& process, Asked& one) -> awaitable<void> {
    one.response = co_await process.pipeline().serve(one.request);
  };
  for (const auto& [target, text] : requests)
    process_.spawn(
        "a request",
        serve(process_, *all.emplace_back(std::make_unique<Asked>(http::Method::post, target, text, token, extra))));
  std::size_t over = 0;
  for (auto& step : meanwhile)
    process_.spawn("a step", [](awaitable<bool> one, std::size_t& count) -> awaitable<void> {
      co_await std::move(one);
      ++count;
    }(std::move(step), over));
  turn_until([&] { return over == meanwhile.size(); });
  std::vector<http::Response> responses;
  for (auto& asked : all) {
    turn_until([&] { return asked->response.has_value(); });
    responses.push_back(std::move(*asked->response));
  }
  return responses;
}

std::string Service::member_token() const {
  identity::Identity member;
  member.organization_id = organization;
  member.member_id = caller;
  member.credential_id = api_key;
  member.by_key = !api_key.empty();
  member.permissions = permissions;
  return identity::Signer("gateway", support::seed_of("gateway")).sign(member, "conversations");
}

std::string Service::service_token(const std::string& name) {
  identity::Identity service;
  service.service = name;
  return identity::Signer(name, support::seed_of(name)).sign(service, "conversations");
}

void Service::turn_until(const std::function<bool()>& condition) { support::run_until(process_.context(), condition); }

// ---- answers --------------------------------------------------------------------------------------------------------

std::string path_of(const Uuid& conversation) { return "/api/conversation/" + conversation.text(); }

bool has(const http::Response& response, std::string_view text) {
  return response.head.find(text) != std::string::npos;
}

boost::json::value json_of(const http::Response& response) {
  model::Fault fault;
  const auto json = model::parse(response.body, fault);
  REQUIRE_MESSAGE(json, response.body);
  return *json;
}

std::string pointer_of(const http::Response& response) {
  const auto json = json_of(response);
  const auto& errors = json.at("errors").as_array();
  return errors.empty() ? "" : std::string(errors.front().at("pointer").as_string());
}

std::vector<std::string> keys_of(const boost::json::value& object) {
  std::vector<std::string> keys;
  for (const auto& member : object.as_object()) keys.emplace_back(member.key());
  return keys;
}

std::string next_of(const http::Response& response) {
  const auto at = response.head.find("Link: <");
  if (at == std::string::npos) return {};
  return response.head.substr(at + 7, response.head.find('>', at) - at - 7);
}

std::vector<std::string> follow(Service& service, std::vector<std::string> (*ids_in)(const http::Response&),
                                std::string target) {
  std::vector<std::string> out;
  for (int pages = 0; !target.empty() && pages < 100; ++pages) {
    const auto page = service.get(target);
    REQUIRE_MESSAGE(page.status == 200, page.body);
    const auto ids = ids_in(page);
    out.insert(out.end(), ids.begin(), ids.end());
    target = next_of(page);
  }
  return out;
}

}  // namespace parley::conversations_tests
