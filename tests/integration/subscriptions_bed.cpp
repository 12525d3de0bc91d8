#include "tests/integration/subscriptions_bed.hpp"

#include "common/model/organization.hpp"
#include "conversations/inbox/conversations/shapes.hpp"
#include "tests/support/process.hpp"

namespace parley::subscriptions_tests {

namespace subscriptions = conversations::subscriptions;

// ---- an endpoint ----------------------------------------------------------------------------------------------------

Endpoint::Endpoint() : server_({}, [this](http::Request& request) { return serve(request); }) {}

std::vector<Endpoint::Call> Endpoint::calls() {
  const std::lock_guard lock(mutex_);
  return calls_;
}

void Endpoint::answer(std::vector<unsigned> statuses, std::string body) {
  const std::lock_guard lock(mutex_);
  statuses_ = std::move(statuses);
  body_ = std::move(body);
}

awaitable<http::Response> Endpoint::serve(http::Request& request) {
  Call call{std::string(request.target),
            std::string(request.field("webhook-id")),
            std::string(request.field("webhook-timestamp")),
            std::string(request.field("webhook-signature")),
            {}};
  call.body = co_await request.body();
  http::Response response;
  response.content_type = "text/plain";
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
    response.status = statuses_.front();
    if (statuses_.size() > 1) statuses_.erase(statuses_.begin());
    if (response.status != 204) response.body = body_;
  }
  if (response.status == 0) co_await http_tests::pause_for(60s);
  if (response.status / 100 == 3) response.add("Location", "/elsewhere");
  co_return response;
}

// ---- the service ----------------------------------------------------------------------------------------------------

DeliverySettings quick_delivery() {
  DeliverySettings settings;
  settings.allow_private = true;
  settings.pauses = {0s, 0s};
  settings.idle_pause = 5ms;
  settings.failure_pause = 5ms;
  return settings;
}

Bed::Bed(DeliverySettings settings, bool allow_private)
    : process_(support::process_settings("conversations", {"gateway"})),
      keys(std::make_shared<secrets::KeyRing>("k:" + std::string(43, 'A') + "=")),
      pool_(process_.context(), database.settings()),
      feed_(process_, pool_, {subscriptions::kFeedConsumer}),
      store_(pool_, *keys, quotas_),
      api_(process_, store_, allow_private),
      worker_(process_, pool_, feed_, keys, std::move(settings),
              [this](Uuid, std::vector<Uuid> asked) { return ask(std::move(asked)); }) {
  pool_.start();
  until([&] { return pg_tests::is_connected(pool_); });
  feed_.start();
  worker_.start();
}

// Whom nobody said anything of is an Owner.
awaitable<std::optional<chassis::Fragments>> Bed::ask(std::vector<Uuid> asked) {
  if (organizations_are_away || std::ranges::count(asked, unanswered) > 0) co_return std::nullopt;
  std::string body;
  for (const auto& id : asked) {
    const auto said = members.find(id);
    if (said != members.end() && said->second.empty()) continue;
    model::OrganizationMember owner{id, {}, model::AccessLevel::Owner, "Ada", "ada@example.com", {}};
    body += id.text() + " " + (said == members.end() ? model::to_json(owner) : said->second) + "\n";
  }
  co_return chassis::Fragments(std::move(body));
}

Bed::~Bed() {
  run(worker_.stop());
  feed_.stop();
  static_cast<http::Loop&>(process_.context()).end();
}

void Bed::until(const std::function<bool()>& condition) { support::run_until(process_.context(), condition); }

void Bed::run(awaitable<void> work) {
  bool over = false;
  const auto end = [](awaitable<void> of, bool& ended) -> awaitable<void> {
    co_await std::move(of);
    ended = true;
  };
  process_.spawn("a test's work", end(std::move(work), over));
  until([&] { return over; });
}

http::Response Bed::send(http::Method method, const std::string& target, const std::string& text) {
  identity::Identity caller;
  caller.organization_id = organization;
  caller.member_id = member;
  caller.permissions = permissions;
  const auto token = identity::Signer("gateway", support::seed_of("gateway")).sign(caller, "conversations");
  support::StoredRequest asked(method, target, text, token);
  http::Response response;
  const auto serve = [](chassis::Process& process, http::Request& asked, http::Response& out) -> awaitable<void> {
    out = co_await process.pipeline().serve(asked);
  };
  run(serve(process_, asked.request, response));
  return response;
}

Bed::Made Bed::make(const std::string& url, const std::string& events) {
  const auto response = post("/api/webhooks", R"({"url":")" + url + R"(","events":)" + events + "}");
  REQUIRE_MESSAGE(response.status == 201, response.body);
  const auto json = json_of(response);
  Made made{json.at("webhook").at("uniqueId").as_string().c_str(), json.at("secret").as_string().c_str(), ""};
  made.path = "/api/webhooks/" + made.id;
  return made;
}

void Bed::tell(const std::vector<Uuid>& organizations) {
  events::Changes changes;
  for (const auto& each : organizations)
    changes.add(conversations::conversations::StatusChange{each, model::new_uuid(), model::new_uuid(),
                                                           model::ConversationStatus::Active,
                                                           model::ConversationStatus::Closed});
  const auto write = [](pg::Pool& pool, model::RawJson json) -> awaitable<void> {
    co_await pool.write(pg::Batch(events::outbox::append, json));
  };
  run(write(pool_, changes.json()));
  feed_.notify();
  until([&] {
    return database.execute(
               "SELECT coalesce((SELECT position FROM feed_cursor WHERE producer = 'conversations'), 0) = head AND NOT "
               "EXISTS (SELECT FROM outbox WHERE position IS NULL) FROM feed") == "t";
  });
}

boost::json::array Bed::deliveries(const Made& webhook, const std::string& query) {
  const auto response = get(webhook.path + "/deliveries" + query);
  REQUIRE_MESSAGE(response.status == 200, response.body);
  return json_of(response).at("deliveries").as_array();
}

boost::json::value json_of(const http::Response& response) {
  model::Fault fault;
  const auto json = model::parse(response.body, fault);
  REQUIRE_MESSAGE(json, response.body);
  return *json;
}

}  // namespace parley::subscriptions_tests
