// The organizations service: organizations, their members, roles, keys and accounts on the messaging channel.
#include "common/chassis/program.hpp"
#include "common/chassis/settings.hpp"
#include "organizations/accounts/api.hpp"
#include "organizations/commands.hpp"
#include "organizations/credentials/api.hpp"
#include "organizations/members/api.hpp"
#include "organizations/migrations.hpp"
#include "organizations/organizations/api.hpp"
#include "organizations/roles/api.hpp"

namespace parley::organizations {

namespace {

struct Settings {
  pg::Settings database;
  std::shared_ptr<const secrets::KeyRing> keys;
  accounts::ChannelSettings channel;
  std::string callback;
};

class Organizations final : public chassis::Application {
 public:
  Organizations(chassis::Process& process, const Settings& settings)
      : database_(process.context(), settings.database),
        keys_(settings.keys),
        channel_(process.context(), process.wheel(), settings.channel, process.log()),
        organization_store_(database_, *keys_),
        organization_api_(process, organization_store_),
        account_store_(database_, *keys_),
        connector_(account_store_, channel_, process.log(), settings.callback),
        account_api_(process, connector_),
        role_store_(database_),
        role_api_(process, role_store_),
        credential_store_(database_),
        credential_api_(process, credential_store_),
        member_store_(database_),
        member_api_(process, member_store_) {
    process.watch(database_);
    process.watch("channel", channel_.upstream());
  }

  void start() override { database_.start(); }
  boost::asio::awaitable<void> stop() override { co_await database_.close(); }

 private:
  pg::Pool database_;
  std::shared_ptr<const secrets::KeyRing> keys_;
  accounts::Channel channel_;
  organizations::Store organization_store_;
  organizations::Api organization_api_;
  accounts::Store account_store_;
  accounts::Connector connector_;
  accounts::Api account_api_;
  roles::Store role_store_;
  roles::Api role_api_;
  credentials::Store credential_store_;
  credentials::Api credential_api_;
  members::Store member_store_;
  members::Api member_api_;
};

std::shared_ptr<const secrets::KeyRing> read_keys(chassis::Environment& environment) {
  const auto text = environment.secret("PARLEY_ENCRYPTION_KEYS");
  try {
    if (!text.empty()) return std::make_shared<secrets::KeyRing>(text);
  } catch (const std::invalid_argument& wrong) {
    environment.fault("PARLEY_ENCRYPTION_KEYS", wrong.what());
  }
  return nullptr;
}

// Where the channel sends the events of organizations, if the world can reach us under a name of our own.
std::string read_callback(chassis::Environment& environment) {
  if (environment.text("PARLEY_PUBLIC_URL", "").empty()) return "";
  auto url = environment.url("PARLEY_PUBLIC_URL");
  while (url.ends_with('/')) url.pop_back();
  return url + "/webhooks/messaging/";
}

chassis::Factory configure(chassis::Environment& environment) {
  Settings settings;
  settings.database = chassis::read_database(environment);
  settings.keys = read_keys(environment);
  settings.channel.url = environment.url("PARLEY_CHANNEL_URL");
  settings.channel.app_id = environment.text("PARLEY_CHANNEL_APP_ID");
  settings.channel.app_secret = environment.secret("PARLEY_CHANNEL_APP_SECRET");
  settings.channel.tls_ca_file = environment.text("PARLEY_CHANNEL_CA_FILE", "");
  settings.callback = read_callback(environment);
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
                               .migrations = parley::organizations::migrations,
                               .configure = parley::organizations::configure,
                               .add_commands = parley::organizations::add_commands});
}
