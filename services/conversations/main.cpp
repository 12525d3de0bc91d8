// The conversations service: conversations and their messages.
#include "common/chassis/events.hpp"
#include "common/chassis/once_pruner.hpp"
#include "common/chassis/peer.hpp"
#include "common/chassis/program.hpp"
#include "common/chassis/removals.hpp"
#include "common/chassis/schema.hpp"
#include "common/chassis/settings.hpp"
#include "common/removals/organizations.hpp"
#include "conversations/conversations/api.hpp"
#include "conversations/deletions/store.hpp"
#include "conversations/migrations.hpp"

namespace parley::conversations {

namespace {

struct Settings {
  pg::Settings database;
  std::string contacts_url, organizations_url;
};

class Conversations final : public chassis::Application {
 public:
  Conversations(chassis::Process& process, const Settings& settings)
      : database_(process.context(), settings.database),
        schema_(process, database_, migrations),
        pruner_(process, database_),
        feed_(process, database_, {"analytics"}),
        contacts_feed_(process, database_, "contacts", settings.contacts_url, deletions::apply_contacts,
                       removals::forget_nothing),
        organizations_feed_(process, database_, "organizations", settings.organizations_url,
                            removals::apply_organizations, removals::forget_nothing),
        removals_(process, database_, deletions::kinds()),
        contacts_(process, "contacts", settings.contacts_url),
        organizations_(process, "organizations", settings.organizations_url),
        conversation_store_(database_),
        conversation_api_(process, database_, conversation_store_, feed_, contacts_, organizations_) {
    process.watch(database_);
    process.watch("contacts", contacts_.client().upstream());
    process.watch("organizations", organizations_.client().upstream());
  }

  void start() override {
    database_.start();
    schema_.start();
    pruner_.start();
    feed_.start();
    contacts_feed_.start();
    organizations_feed_.start();
    removals_.start();
  }
  std::string not_ready() const override { return schema_.not_ready(); }
  void finish_waits() override { feed_.stop(); }  // those who follow the feed wait for its next event
  boost::asio::awaitable<void> stop() override {
    schema_.stop();
    pruner_.stop();
    contacts_feed_.stop();
    organizations_feed_.stop();
    removals_.stop();
    co_await database_.close();
  }

 private:
  pg::Pool database_;
  chassis::SchemaWatch schema_;
  chassis::OncePruner pruner_;
  chassis::EventFeed feed_;
  chassis::EventConsumer contacts_feed_, organizations_feed_;
  chassis::Removals removals_;
  chassis::Peer contacts_, organizations_;
  conversations::Store conversation_store_;
  conversations::Api conversation_api_;
};

chassis::Factory configure(chassis::Environment& environment) {
  Settings settings{chassis::read_database(environment), environment.url("PARLEY_CONTACTS_URL"),
                    environment.url("PARLEY_ORGANIZATIONS_URL")};
  return [settings](chassis::Process& process) { return std::make_unique<Conversations>(process, settings); };
}

}  // namespace

}  // namespace parley::conversations

int main(int argc, char** argv) {
  return parley::chassis::run(argc, argv,
                              {.name = "conversations",
                               .description = "Conversations and their messages",
                               .listen = "127.0.0.1:8082",
                               .admin_listen = "127.0.0.1:9082",
                               .migrations = parley::conversations::migrations,
                               .configure = parley::conversations::configure});
}
