#include "tests/integration/webhooks_bed.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <csignal>

#include "common/http/body.hpp"
#include "common/identity/api_key.hpp"
#include "contacts/identities/shapes.hpp"
#include "conversations/channel/account.hpp"
#include "tests/support/loop.hpp"

namespace parley::webhooks_tests {

namespace asio = boost::asio;

// ---- the world ------------------------------------------------------------------------------------------------------

Uuid World::connect(const std::string& phone_number_id) { return organizations[phone_number_id] = model::new_uuid(); }

void World::receive(const std::string& body) const {
  database.execute("INSERT INTO inbox (body) VALUES ('\\x" + identity::to_hex(body) + "')");
}

void World::receive_texts(const std::string& from, std::int64_t first, std::int64_t count) const {
  database.execute("INSERT INTO inbox (body) SELECT convert_to(replace('" +
                   body_of({webhooks_tests::text("the id", from, 0, "Hello")}) +
                   "', 'the id', 'm' || n), 'UTF8') FROM generate_series(" + std::to_string(first) + ", " +
                   std::to_string(first + count - 1) + ") AS n");
}

Uuid World::contact_of(const Uuid& organization, const std::string& phone_or_user_id) {
  const auto rows =
      contacts.sql().rows("SELECT id FROM contact WHERE organization_id = $1 AND $2 IN (phone, channel_user_id)",
                          {organization.text(), phone_or_user_id});
  return rows.empty() ? Uuid{} : *Uuid::parse(rows.at(0).at(0));
}

Uuid World::add_outbound(const Uuid& organization, const std::string& phone, const std::string& text,
                         std::optional<Uuid> campaign) {
  auto contact = contact_of(organization, phone);
  if (contact.is_nil()) contact = contacts.add_contact(organization, "Somebody", phone);
  const auto id = model::new_uuid();
  database.execute(
      "INSERT INTO conversation (organization_id, id, contact_id, initiated_by) VALUES (" + quoted(organization) + "," +
      quoted(model::new_uuid()) + "," + quoted(contact) +
      ", 'Member') ON CONFLICT DO NOTHING; INSERT INTO message (organization_id, id, conversation_id, contact_id, "
      "campaign_id, direction, status, message_type, data, created_at) SELECT organization_id, " +
      quoted(id) + ", id, contact_id, " + (campaign ? quoted(*campaign) : "NULL") +
      ", 'OutBound', 'Queued', 'Text', jsonb_build_object('text', '" + text +
      "'), '2026-01-31T11:00:00Z' FROM conversation WHERE organization_id = " + quoted(organization) +
      " AND contact_id = " + quoted(contact) +
      " AND status = 'Active'; INSERT INTO outgoing (organization_id, message_id, "
      "kind, phone_number_id, contact_id, recipient, expires_at) VALUES (" +
      quoted(organization) + "," + quoted(id) + ",'Message','" + kNumber + "'," + quoted(contact) + ",'" + phone +
      "', now() + interval '1 day')");
  return id;
}

namespace {

const identity::Seed& gateway_seed() {
  static const auto seed = identity::new_seed();
  return seed;
}

}  // namespace

// ---- the process ----------------------------------------------------------------------------------------------------

chassis::ProcessSettings Replica::settings() {
  identity::start_cryptography();
  chassis::ProcessSettings out;
  out.name = "conversations";
  out.log_level = chassis::Level::error;
  out.identity_key = identity::new_seed();
  out.trusted.emplace("gateway", identity::public_key_of(gateway_seed()));
  return out;
}

std::string Replica::gateway_token() { return identity::Signer("gateway", gateway_seed()).own_token("conversations"); }

Replica::Replica(World& world, int workers)
    : world_(world),
      process_(settings()),
      neighbours_(process_.context(), process_.wheel(), {asio::ip::make_address("127.0.0.1"), 0}, {},
                  {[this](http::Request& request) { return serve(request); },
                   [](unsigned status, std::string_view, std::string_view) {
                     return http::to_response({.status = status, .detail{}}, "", "");
                   }}),
      database_(process_.context(), world.database.settings()),
      contacts_database_(process_.context(), world.contacts.settings()),
      people_(contacts_database_),
      feed_(process_, database_, {"analytics"}),
      contacts_peer_(process_, "contacts", "http://127.0.0.1:" + std::to_string(neighbours_.endpoint().port())),
      organizations_peer_(process_, "organizations",
                          "http://127.0.0.1:" + std::to_string(neighbours_.endpoint().port())),
      accounts_(process_, organizations_peer_) {
  for (int i = 0; i < workers; ++i)
    workers_.push_back(
        std::make_unique<conversations::webhooks::Worker>(process_, database_, accounts_, contacts_peer_));
  neighbours_.start();
  database_.start();
  contacts_database_.start();
  until([this] { return database_.available() && contacts_database_.available(); });
}

Replica::~Replica() {
  bool over = false;
  process_.spawn("end", end(over));
  until([&] { return over; });
  neighbours_.close_all();
  static_cast<http::Loop&>(process_.context()).end();
}

awaitable<void> Replica::end(bool& over) {
  for (const auto& worker : workers_) co_await worker->stop();
  co_await database_.close();
  co_await contacts_database_.close();
  over = true;
}

void Replica::until(const std::function<bool()>& condition) { support::run_until(process_.context(), condition); }

void Replica::start() {
  for (const auto& worker : workers_) worker->start();
}

void Replica::run() {
  start();
  process_.context().restart();
  process_.context().run();
}

void Replica::run(awaitable<void> work) {
  bool over = false;
  asio::co_spawn(process_.context(), std::move(work), [&](std::exception_ptr) { over = true; });
  until([&] { return over; });
}

void Replica::run_until_empty() {
  start();
  until([this] { return world_.number("SELECT count(*) FROM inbox") == 0; });
}

// What an attempt that failed has locked may not be free yet for the next.
void Replica::drain() {
  while (world_.number("SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM parked_element WHERE due_at <= "
                       "now())") > 0)
    work();
}

std::exception_ptr Replica::work() {
  bool over = false;
  std::exception_ptr error;
  asio::co_spawn(process_.context(), workers_.front()->work(), [&](std::exception_ptr thrown, bool) {
    over = true;
    error = thrown;
  });
  until([&] { return over; });
  return error;
}

awaitable<http::Response> Replica::serve(http::Request& request) {
  if (request.path == "/internal/accounts") accounts_asked.emplace_back(request.query);
  const bool is_untold = !untold.empty() && request.query == "phone_number_id=" + untold;
  if ((organizations_down || is_untold) && request.path.starts_with("/internal/accounts"))
    co_return http::to_response({.status = 503, .detail = "not now"}, "", "");
  if (request.path == "/internal/accounts/owners") co_return owners(request.query);
  if (request.path == "/internal/accounts") co_return account(request.query);
  if (request.path.ends_with("/verify-token")) co_return verify_token(request.path);
  auto body = std::string(co_await request.body());
  co_return co_await resolve(std::move(body));
}

http::Response Replica::verify_token(std::string_view path) const {
  for (const auto& [number, organization] : world_.organizations)
    if (path == "/internal/accounts/" + organization.text() + "/verify-token")
      return http::json_response(model::RawJson{R"({"verifyToken":"the secret of )" + number + "\"}"});
  return http::to_response({.status = 404, .detail = "none"}, "", "");
}

// Of the business account that all numbers have.
http::Response Replica::owners(std::string_view query) const {
  contracts::organizations::BusinessAccountOwners out;
  if (query == "business_account_id=" + world_.business_account)
    for (const auto& [number, organization] : world_.organizations) out.organizationIds.push_back(organization);
  return http::json_response(out);
}

http::Response Replica::account(std::string_view query) const {
  for (const auto& [number, organization] : world_.organizations)
    if (query == "phone_number_id=" + number || query == "organization_id=" + organization.text())
      return http::json_response(conversations::channel::Account{organization, world_.business_account, number,
                                                                 "+1 555", "Shop", "token", "the secret of " + number});
  return http::to_response({.status = 404, .detail = "none"}, "", "");
}

awaitable<http::Response> Replica::resolve(std::string body) {
  ++questions;
  about_nobody += body.find("\"people\":[]") != body.npos;
  if (questions == answers_together)
    open_transactions = static_cast<int>(world_.number(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"));
  while (questions < answers_together) {
    asio::steady_timer timer(co_await asio::this_coro::executor, 1ms);
    co_await timer.async_wait(asio::deferred);
  }
  if (contacts_down) co_return http::to_response({.status = 503, .detail = "not now"}, "", "");
  for (const auto& [who, answer] : refusals) {
    if (body.find(who) == body.npos) continue;
    if (answer != 0) co_return http::to_response({.status = answer, .detail = refusal}, "", "");
    ++hanging;
    asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
    co_await timer.async_wait(asio::deferred);
  }
  for (const auto& [who, answer] : senseless)
    if (body.find(who) != body.npos) {
      http::Response response;
      response.body = answer;
      co_return response;
    }
  contracts::contacts::Resolve question;
  model::Reader reader;
  reader.read(http::parse_body(body), question);
  auto found = co_await people_.resolve(question.organizationId, std::move(question.people));
  co_return http::json_response(contracts::contacts::Resolved{std::move(found)});
}

void run_and_kill(World& world, const std::function<void(Replica&)>& prepare, const std::function<void()>& wait) {
  const auto child = ::fork();
  REQUIRE_NE(child, -1);
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
      Replica replica(world, 2);
      prepare(replica);
      replica.run();
    } catch (const std::exception&) {  // ends as below
    }
    ::_exit(1);  // it should have been killed
  }
  wait();
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  world.pass_time();
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

json::object message(const std::string& id, const std::string& from, std::int64_t seconds, const std::string& type,
                     json::object content) {
  return {{from.find('.') == from.npos ? "from" : "from_user_id", from},
          {"id", id},
          {"timestamp", std::to_string(kNoon + seconds)},
          {"type", type},
          {type, std::move(content)}};
}

json::object text(const std::string& id, const std::string& from, std::int64_t seconds, const std::string& body) {
  return message(id, from, seconds, "text", {{"body", body}});
}

json::object reply(json::object message, const std::string& to) {
  message["context"] = json::object{{"from", "15550001111"}, {"id", to}};
  return message;
}

json::object status(const std::string& id, const std::string& word, std::int64_t seconds, std::optional<Uuid> opaque) {
  json::object out{
      {"id", id}, {"status", word}, {"timestamp", std::to_string(kNoon + seconds)}, {"recipient_id", "4915100000001"}};
  if (opaque) out["biz_opaque_callback_data"] = opaque->text();
  if (word == "failed")
    out["errors"] = json::array{json::object{{"code", 131026},
                                             {"title", "Message undeliverable"},
                                             {"error_data", json::object{{"details", "Not a user."}}}}};
  return out;
}

namespace {

std::string body_with(const std::string& field, json::object value, const std::string& number) {
  value["messaging_product"] = "whatsapp";
  value["metadata"] = json::object{{"display_phone_number", "15550001111"}, {"phone_number_id", number}};
  const json::object change{{"field", field}, {"value", value}};
  const json::object entry{{"id", "7"}, {"changes", json::array{change}}};
  return json::serialize(json::object{{"object", "whatsapp_business_account"}, {"entry", json::array{entry}}});
}

}  // namespace

std::string body_of(const json::array& messages, const json::array& statuses, const std::string& number,
                    const json::array& contacts) {
  json::object value;
  if (!contacts.empty()) value["contacts"] = contacts;
  if (!messages.empty()) value["messages"] = messages;
  if (!statuses.empty()) value["statuses"] = statuses;
  return body_with("messages", std::move(value), number);
}

std::string preferences_of(const json::array& preferences, const std::string& number) {
  return body_with("user_preferences", {{"user_preferences", preferences}}, number);
}

}  // namespace parley::webhooks_tests
