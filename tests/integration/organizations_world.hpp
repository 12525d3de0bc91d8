#pragma once
// The organizations service in this process, over a database of its own: requests go through its pipeline as a
// gateway's or another service's would.

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/chassis/idempotency.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/accounts/api.hpp"
#include "organizations/audit/api.hpp"
#include "organizations/credentials/api.hpp"
#include "organizations/invites/api.hpp"
#include "organizations/mail/store.hpp"
#include "organizations/members/api.hpp"
#include "organizations/organizations/api.hpp"
#include "organizations/roles/api.hpp"
#include "organizations/schema.hpp"
#include "organizations/second_factor/api.hpp"
#include "organizations/sessions/api.hpp"
#include "organizations/users/api.hpp"
#include "tests/integration/new_database.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sql.hpp"

namespace parley::organizations_tests {

namespace asio = boost::asio;
using asio::awaitable;
using identity::Permission;
using identity::PermissionSet;
using namespace std::chrono_literals;

// One database for all these tests: each makes its own organizations.
inline const std::string& database_url() {
  static const std::string url = pg_tests::new_database("organizations");
  return url;
}

inline const std::string& encryption_keys() {
  static const std::string keys = [] {
    identity::start_cryptography();
    const auto seed = identity::new_seed();
    return "test:" + identity::to_base64(seed.data(), seed.size());
  }();
  return keys;
}

struct Answer {
  unsigned status = 0;
  std::string head, text;
  boost::json::value json;

  const boost::json::value& at(std::string_view pointer) const { return json.at_pointer(pointer); }
  std::string text_at(std::string_view pointer) const { return std::string(at(pointer).as_string()); }
  bool has_header(std::string_view line) const { return head.find(std::string(line) + "\r\n") != head.npos; }
};

// A member as the gateway knows them.
struct Caller {
  model::Uuid organization, member, person;
  std::string key;
  model::AccessLevel level = model::AccessLevel::Owner;
  PermissionSet permissions = PermissionSet::all();
  std::string credential = "a-credential";
  bool lacks_second_factor = false;  // which the organization requires
};

using Fields = std::vector<std::pair<std::string, std::string>>;

// How the channel is reached; by default nobody is there.
struct ChannelOptions {
  std::string url = "http://127.0.0.1:9/v20.0";
  std::string app_secret = "the-app-secret";
  std::string callback{};
};

// As much as anybody wants.
inline const organizations::organizations::QuotaSettings kMany{.owned = 1'000'000, .of_organizations = {}};

// Where all requests come from.
inline constexpr std::string_view kClientAddress = "192.0.2.7";

class World {
 public:
  explicit World(const ChannelOptions& channel = {}, const organizations::organizations::QuotaSettings& quotas = kMany,
                 bool sends_mail = false)
      : process_(support::process_settings("organizations", {"gateway", "conversations"})),
        keys_(encryption_keys()),
        database(process_.context(), pool_settings()),
        gateway_("gateway", support::seed_of("gateway")),
        conversations_("conversations", support::seed_of("conversations")),
        channel_(process_,
                 {.url = channel.url, .app_id = "300", .app_secret = channel.app_secret, .answer_time = 500ms}),
        feed_(process_, database, {"contacts"}, {"gateway"}),
        quotas_(quotas.of_organizations),
        ownership_(database, quotas.owned),
        organization_store(database, keys_, &ownership_),
        organization_api_(process_, organization_store),
        account_store_(database, keys_),
        connector_(account_store_, channel_, process_.log(), channel.callback),
        account_api_(process_, account_store_, connector_),
        role_store_(database, quotas_),
        role_api_(process_, role_store_),
        credential_store_(database, quotas_),
        passwords_(process_.context(), {}),
        attempts_(database, {}),
        users_store_(database),
        session_store_(database, {}),
        mails_(keys_, sends_mail),
        users_api_(process_, database, users_store_, session_store_, passwords_, attempts_, mails_,
                   organizations::users::SignUp::open),
        second_factor_(database, keys_, attempts_),
        second_factor_api_(process_, second_factor_, users_store_, passwords_, attempts_),
        session_api_(process_, session_store_, users_store_, passwords_, attempts_, second_factor_),
        verdicts_(database, session_store_),
        credential_api_(process_, database, credential_store_, verdicts_),
        members(database, &ownership_),
        member_api_(process_, members),
        invite_store_(database, quotas_, &ownership_),
        invite_api_(process_, invite_store_, session_store_, passwords_, attempts_, mails_),
        audit_store_(database),
        audit_api_(process_, audit_store_) {
    database.start();
    until([this] { return pg_tests::is_connected(database); });
  }

  void until(const std::function<bool()>& condition) { support::run_until(process_.context(), condition); }
  // Lets all that can go on do so.
  void settle() {
    process_.context().restart();
    while (process_.context().poll() > 0) {
    }
  }
  // Runs several coroutines at once, to the end of all; what one throws is thrown then.
  template <class T>
  std::vector<T> run_all(std::vector<awaitable<T>> works) {
    std::vector<T> results(works.size());
    std::exception_ptr broken;
    std::size_t running = works.size();
    for (std::size_t i = 0; i < works.size(); ++i)
      asio::co_spawn(process_.context(), std::move(works[i]), [&, i](std::exception_ptr error, T value) {
        --running;
        if (error) broken = error;
        results[i] = std::move(value);
      });
    until([&] { return running == 0; });
    if (broken) std::rethrow_exception(broken);
    return results;
  }
  template <class T>
  T run(awaitable<T> work) {
    std::vector<awaitable<T>> works;
    works.push_back(std::move(work));
    return std::move(run_all(std::move(works)).front());
  }

  // A request of a member, through the gateway; `fields` are further ones of its head.
  awaitable<Answer> ask(Caller caller, http::Method method, std::string target, std::string body = {},
                        Fields fields = {}) {
    identity::Identity identity;
    identity.organization_id = caller.organization;
    identity.member_id = caller.member;
    identity.person_id = caller.person;
    identity.access_level = caller.level;
    identity.permissions = caller.permissions;
    identity.credential_id = caller.credential;
    identity.lacks_second_factor = caller.lacks_second_factor;
    return send(gateway_.sign(identity, "organizations"), method, std::move(target), std::move(body),
                std::move(fields));
  }
  Answer get(const Caller& caller, const std::string& target, const Fields& fields = {}) {
    return run(ask(caller, http::Method::get, target, {}, fields));
  }
  Answer post(const Caller& caller, const std::string& target, const std::string& body, const Fields& fields = {}) {
    return run(ask(caller, http::Method::post, target, body, fields));
  }
  Answer del(const Caller& caller, const std::string& target, const Fields& fields = {}) {
    return run(ask(caller, http::Method::del, target, {}, fields));
  }
  // A request of the gateway, or of conversations, in its own name.
  awaitable<Answer> ask_as_gateway(std::string target, std::string body, Fields fields = {}) {
    return send(gateway_.own_token("organizations"), http::Method::post, std::move(target), std::move(body),
                std::move(fields));
  }
  Answer post_as_gateway(const std::string& target, const std::string& body, const Fields& fields = {}) {
    return run(ask_as_gateway(target, body, fields));
  }
  Answer get_as_conversations(const std::string& target) {
    return run(send(conversations_.own_token("organizations"), http::Method::get, target, {}));
  }

  // A new organization with its Owner.
  Caller new_owner(const std::string& name = "Engines") {
    const auto number = std::to_string(++owners_) + "-" + model::new_uuid().text();
    return caller_of(run(members.create_owner({name + " Owner", number + "@x.example", {}, {}}, name)));
  }
  static Caller caller_of(const organizations::members::Enrolled& enrolled,
                          model::AccessLevel level = model::AccessLevel::Owner) {
    const auto person = sql("SELECT person_id FROM member WHERE id = '" + enrolled.memberId.text() + "'");
    Caller out{enrolled.organizationId, enrolled.memberId, model::Uuid::parse(person).value_or(model::Uuid{}),
               enrolled.apiKey.value_or(""), level};
    if (const auto key = identity::ApiKey::parse(out.key)) out.credential = key->credential_id.text();
    return out;
  }
  // Another member of the same organization, as the gateway would know them from their key.
  Caller new_member(const Caller& owner, model::AccessLevel level, std::vector<std::string> roles = {}) {
    const auto email = model::new_uuid().text() + "@x.example";
    auto out = caller_of(run(members.add(owner.organization, {"Somebody", email, level, std::move(roles)})), level);
    out.permissions = PermissionSet(std::stoull(verify(out.key).text_at("/permissions"), nullptr, 16));
    return out;
  }
  // The same person, signed in: with a session's credential rather than a key's.
  static Caller signed_in(Caller caller) {
    caller.credential =
        sql("INSERT INTO session (id, person_id, secret_hash, expires_at) SELECT gen_random_uuid(), '" +
            caller.person.text() + "', sha256(gen_random_uuid()::text::bytea), now() + interval '1 day' RETURNING id");
    return caller;
  }
  // What the gateway asks when a key comes in.
  Answer verify(const std::string& key_text, const std::optional<model::Uuid>& organization = {}) {
    const auto key = identity::ApiKey::parse(key_text);
    REQUIRE(key);
    std::string body = R"({"key":{"organizationId":")" + key->organization_id.text() + R"(","credentialId":")" +
                       key->credential_id.text() + R"(","secretSha256":")" + identity::to_hex(key->secret_hash()) +
                       "\"}";
    if (organization) body += R"(,"organizationId":")" + organization->text() + '"';
    return post_as_gateway("/internal/credentials/verify", body + "}");
  }

  // The first column of the first row.
  static std::string sql(const std::string& statement) { return support::execute(database_url(), statement); }

  // Where requests come from.
  std::string client_address{kClientAddress};

  asio::io_context& context() { return process_.context(); }
  chassis::Process& process() { return process_; }
  const secrets::KeyRing& keys() const { return keys_; }
  http::DeadlineSweeper& wheel() { return process_.wheel(); }

 private:
  static pg::Settings pool_settings() {
    pg::Settings out;
    out.url = database_url();
    return out;
  }
  awaitable<Answer> send(std::string token, http::Method method, std::string target, std::string body,
                         Fields more = {}) {
    struct Source final : http::BodySource {
      std::string_view left;
      awaitable<std::string_view> next() override { co_return std::exchange(left, {}); }
    } source;
    source.left = body;
    std::vector<http::Field> fields{{identity::kField, token}, {"Parley-Client-Address", client_address}};
    if (!body.empty()) fields.push_back({"Content-Type", "application/json"});
    for (const auto& [name, value] : more) fields.push_back({name, value});
    http::Request request;
    request.method = method;
    request.target = target;
    const auto mark = target.find('?');
    request.path = std::string_view(target).substr(0, mark);
    if (mark != target.npos) request.query = std::string_view(target).substr(mark + 1);
    request.fields = fields;
    request.content_length = body.size();
    request.has_body = !body.empty();
    request.body_source = &source;
    auto response = co_await process_.pipeline().serve(request);
    Answer answer{response.status, std::move(response.head), std::move(response.body), nullptr};
    while (response.stream) {
      const auto piece = co_await response.stream->next();
      if (piece.empty()) break;
      answer.text += piece;
    }
    model::Fault fault;
    if (auto json = model::parse(answer.text, fault)) answer.json = std::move(*json);
    co_return answer;
  }

  chassis::Process process_;
  secrets::KeyRing keys_;

 public:
  pg::Pool database;
  chassis::Idempotency idempotency_{process_, database};

 private:
  identity::Signer gateway_, conversations_;
  organizations::accounts::Channel channel_;
  chassis::EventFeed feed_;
  const chassis::Quotas quotas_;
  const organizations::organizations::Ownership ownership_;

 public:
  organizations::organizations::Store organization_store;

 private:
  organizations::organizations::Api organization_api_;
  organizations::accounts::Store account_store_;
  organizations::accounts::Connector connector_;
  organizations::accounts::Api account_api_;
  organizations::roles::Store role_store_;
  organizations::roles::Api role_api_;
  organizations::credentials::Store credential_store_;
  organizations::users::Passwords passwords_;
  organizations::users::Attempts attempts_;
  organizations::users::Store users_store_;
  organizations::sessions::Store session_store_;
  organizations::mail::Store mails_;
  organizations::users::Api users_api_;
  organizations::second_factor::Store second_factor_;
  organizations::second_factor::Api second_factor_api_;
  organizations::sessions::Api session_api_;
  organizations::credentials::CredentialVerifier verdicts_;
  organizations::credentials::Api credential_api_;

 public:
  organizations::members::Store members;

 private:
  organizations::members::Api member_api_;
  organizations::invites::Store invite_store_;
  organizations::invites::Api invite_api_;
  organizations::audit::Store audit_store_;
  organizations::audit::Api audit_api_;
  int owners_ = 0;
};

}  // namespace parley::organizations_tests
