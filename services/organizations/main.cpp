// The organizations service: organizations, members, roles, API keys, sessions, messaging accounts and the audit.
#include "common/chassis/events.hpp"
#include "common/chassis/idempotency.hpp"
#include "common/chassis/program.hpp"
#include "common/chassis/quotas_api.hpp"
#include "common/chassis/removals.hpp"
#include "common/chassis/schema.hpp"
#include "common/chassis/settings.hpp"
#include "common/contracts/quotas.hpp"
#include "organizations/accounts/api.hpp"
#include "organizations/audit/api.hpp"
#include "organizations/commands.hpp"
#include "organizations/credentials/api.hpp"
#include "organizations/invites/api.hpp"
#include "organizations/mail/worker.hpp"
#include "organizations/members/api.hpp"
#include "organizations/options/api.hpp"
#include "organizations/organizations/api.hpp"
#include "organizations/organizations/removal.hpp"
#include "organizations/roles/api.hpp"
#include "organizations/schema.hpp"
#include "organizations/second_factor/api.hpp"
#include "organizations/sessions/api.hpp"
#include "organizations/users/settings.hpp"

namespace parley::organizations {

namespace {

struct Settings {
  pg::Settings database;
  std::shared_ptr<const secrets::KeyRing> keys;
  accounts::ChannelSettings channel;
  std::string callback;
  std::string contacts_url;
  users::Settings users;
  std::optional<mail::Settings> mail;
  organizations::QuotaSettings quotas;
};

// There are few events and no snapshot: keeping them this long lets a consumer restored from a backup read them again.
constexpr auto kFeedKept = std::chrono::days(7);

class Organizations final : public chassis::Application {
 public:
  Organizations(chassis::Process& process, const Settings& settings)
      : database_(process.context(), settings.database),
        keys_(settings.keys),
        schema_(process, database_, schema),
        idempotency_(process, database_),
        feed_(process, database_, {"contacts", "conversations", "analytics"}, {"gateway"}, kFeedKept),
        contacts_(process, database_, "contacts", settings.contacts_url, audit::apply, audit::forget,
                  events::Dropped::made_up),  // lost audit entries are not recoverable; go on
        removals_(process, database_, {organizations::removal_of_organizations()}),
        channel_(process, settings.channel),
        quotas_(settings.quotas.of_organizations),
        ownership_(database_, settings.quotas.owned),
        quotas_api_(process, database_, quotas_, "/api/organization/quotas", contracts::quotas::of_organizations,
                    [this](chassis::Call& call) { return own_use(call); }),
        organization_store_(database_, *keys_, &ownership_),
        organization_api_(process, organization_store_),
        account_store_(database_, *keys_),
        connector_(account_store_, channel_, process.log(), settings.callback),
        account_api_(process, account_store_, connector_),
        role_store_(database_, quotas_),
        role_api_(process, role_store_),
        passwords_(process.context(), settings.users.passwords),
        attempts_(database_, settings.users.attempts),
        users_store_(database_),
        session_store_(database_, settings.users.sessions),
        mails_(*keys_, settings.mail.has_value()),
        mail_worker_(process, database_, *keys_, settings.mail),
        users_api_(process, database_, users_store_, session_store_, passwords_, attempts_, mails_,
                   settings.users.sign_up),
        options_api_(process, {settings.users.sign_up == users::SignUp::open, settings.channel.app_id, mails_.is_on()}),
        second_factor_(database_, *keys_, attempts_),
        second_factor_api_(process, second_factor_, users_store_, passwords_, attempts_),
        session_api_(process, session_store_, users_store_, passwords_, attempts_, second_factor_),
        credential_store_(database_, quotas_),
        verdicts_(database_, session_store_),
        credential_api_(process, database_, credential_store_, verdicts_),
        member_store_(database_, &ownership_),
        member_api_(process, member_store_),
        invite_store_(database_, quotas_, &ownership_),
        invite_api_(process, invite_store_, session_store_, passwords_, attempts_, mails_),
        audit_store_(database_),
        audit_api_(process, audit_store_) {
    process.watch(database_);
    process.watch("channel", channel_.upstream());
    watch_passwords(process, users::Passwords::Caller::stranger, "stranger");
    watch_passwords(process, users::Passwords::Caller::known, "known");
  }

  void start() override {
    database_.start();
    schema_.start();
    idempotency_.start();
    feed_.start();
    contacts_.start();
    removals_.start();
    mail_worker_.start();
  }
  std::string not_ready() const override { return schema_.not_ready(); }
  void finish_waits() override { feed_.stop(); }  // followers of the feed are waiting for its next event
  boost::asio::awaitable<void> stop() override {
    schema_.stop();
    idempotency_.stop();
    contacts_.stop();
    removals_.stop();
    co_await mail_worker_.stop();
    co_await database_.close();
  }

 private:
  void watch_passwords(chassis::Process& process, users::Passwords::Caller caller, const std::string& name) {
    process.metrics().gauge_from("password_waiters", "Requests that wait for a place to hash a password",
                                 {{"caller", name}},
                                 [this, caller] { return double(passwords_.stats(caller).queued); });
    process.metrics().counter_from(
        "passwords_refused_total",
        "Requests that got no place to hash a password: too many waited, or it took too long", {{"caller", name}},
        [this, caller] {
          const auto stats = passwords_.stats(caller);
          return double(stats.queue_full + stats.late);
        });
  }

  // The quota of owned organizations belongs to the person, not to the organization.
  boost::asio::awaitable<std::vector<chassis::QuotaUse>> own_use(chassis::Call& call) {
    co_return std::vector<chassis::QuotaUse>{co_await ownership_.use(call.identity.person_id)};
  }

  pg::Pool database_;
  std::shared_ptr<const secrets::KeyRing> keys_;
  chassis::SchemaWatch schema_;
  chassis::Idempotency idempotency_;
  chassis::EventFeed feed_;
  chassis::EventConsumer contacts_;
  chassis::Removals removals_;
  accounts::Channel channel_;
  const chassis::Quotas quotas_;
  const organizations::Ownership ownership_;
  chassis::QuotasApi quotas_api_;
  organizations::Store organization_store_;
  organizations::Api organization_api_;
  accounts::Store account_store_;
  accounts::Connector connector_;
  accounts::Api account_api_;
  roles::Store role_store_;
  roles::Api role_api_;
  users::Passwords passwords_;
  users::Attempts attempts_;
  users::Store users_store_;
  sessions::Store session_store_;
  const mail::Store mails_;
  mail::Worker mail_worker_;
  users::Api users_api_;
  options::Api options_api_;
  second_factor::Store second_factor_;
  second_factor::Api second_factor_api_;
  sessions::Api session_api_;
  credentials::Store credential_store_;
  credentials::CredentialVerifier verdicts_;
  credentials::Api credential_api_;
  members::Store member_store_;
  members::Api member_api_;
  invites::Store invite_store_;
  invites::Api invite_api_;
  audit::Store audit_store_;
  audit::Api audit_api_;
};

// The callback URL for the channel, without the organization's id; "" without PARLEY_PUBLIC_URL.
std::string read_callback(chassis::Environment& environment) {
  if (environment.text("PARLEY_PUBLIC_URL", "").empty()) return "";
  auto url = environment.url("PARLEY_PUBLIC_URL");
  while (url.ends_with('/')) url.pop_back();
  return url + "/webhooks/messaging/";
}

chassis::Factory configure(chassis::Environment& environment) {
  Settings settings;
  settings.database = chassis::read_database(environment);
  settings.keys = chassis::read_keys(environment);
  settings.channel.url = environment.url("PARLEY_CHANNEL_URL");
  settings.channel.app_id = environment.text("PARLEY_CHANNEL_APP_ID");
  // During a rotation the value is "new,old"; the old secret only verifies webhooks.
  const auto secrets = environment.secret("PARLEY_CHANNEL_APP_SECRET");
  settings.channel.app_secret = secrets.substr(0, secrets.find(','));
  settings.channel.tls_ca_file = environment.text("PARLEY_CHANNEL_CA_FILE", "");
  settings.callback = read_callback(environment);
  settings.contacts_url = environment.url("PARLEY_CONTACTS_URL");
  settings.users = users::Settings::read(environment);
  settings.mail = mail::Settings::read(environment);
  settings.quotas = organizations::QuotaSettings::read(environment);
  return [settings](chassis::Process& process) { return std::make_unique<Organizations>(process, settings); };
}

}  // namespace

}  // namespace parley::organizations

int main(int argc, char** argv) {
  return parley::chassis::run(argc, argv,
                              {.name = "organizations",
                               .description = "Organizations, their members, roles, keys and messaging accounts",
                               .listen = "127.0.0.1:8083",
                               .admin_listen = "127.0.0.1:9083",
                               .schema = parley::organizations::schema,
                               .configure = parley::organizations::configure,
                               .add_commands = parley::organizations::add_commands});
}
