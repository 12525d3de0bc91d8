// The analytics service: reports counted from the events of conversations and contacts.
#include "analytics/deletions/kinds.hpp"
#include "analytics/reports/api.hpp"
#include "analytics/rollups/commands.hpp"
#include "analytics/rollups/coverage_watch.hpp"
#include "analytics/rollups/store.hpp"
#include "analytics/schema.hpp"
#include "analytics/usage/api.hpp"
#include "common/chassis/events.hpp"
#include "common/chassis/program.hpp"
#include "common/chassis/removals.hpp"
#include "common/chassis/schema.hpp"
#include "common/chassis/service_client.hpp"
#include "common/chassis/settings.hpp"
#include "common/removals/organizations.hpp"

namespace parley::analytics {

namespace {

struct Settings {
  pg::Settings database;
  std::string contacts_url, conversations_url, organizations_url;
};

class Analytics final : public chassis::Application {
 public:
  Analytics(chassis::Process& process, const Settings& settings)
      : database_(process.context(), settings.database),
        schema_(process, database_, schema),
        contacts_(process, database_, "contacts", settings.contacts_url, rollups::apply_contacts,
                  rollups::forget_contacts, events::Dropped::needed, rollups::restore_contacts),
        conversations_(process, database_, "conversations", settings.conversations_url, rollups::apply_conversations,
                       rollups::forget_conversations, events::Dropped::needed, rollups::restore_conversations),
        organizations_(process, database_, "organizations", settings.organizations_url, removals::apply_organizations,
                       removals::forget_nothing, events::Dropped::applied),
        coverage_(process, database_, {"contacts", "conversations"}),
        removals_(process, database_, deletions::kinds()),
        report_store_(database_),
        report_api_(process, report_store_),
        asked_organizations_(process, "organizations", settings.organizations_url),
        asked_contacts_(process, "contacts", settings.contacts_url),
        asked_conversations_(process, "conversations", settings.conversations_url),
        usage_api_(process, database_, asked_organizations_, asked_contacts_, asked_conversations_) {
    process.watch(database_);
  }

  void start() override {
    database_.start();
    schema_.start();
    contacts_.start();
    conversations_.start();
    organizations_.start();
    coverage_.start();
    removals_.start();
  }
  std::string not_ready() const override { return schema_.not_ready(); }
  boost::asio::awaitable<void> stop() override {
    schema_.stop();
    contacts_.stop();
    conversations_.stop();
    organizations_.stop();
    co_await coverage_.stop();
    removals_.stop();
    co_await database_.close();
  }

 private:
  pg::Pool database_;
  chassis::SchemaWatch schema_;
  chassis::EventConsumer contacts_, conversations_, organizations_;
  rollups::CoverageWatch coverage_;
  chassis::Removals removals_;
  reports::Store report_store_;
  reports::Api report_api_;
  chassis::ServiceClient asked_organizations_, asked_contacts_, asked_conversations_;
  usage::Api usage_api_;
};

chassis::Factory configure(chassis::Environment& environment) {
  Settings settings{chassis::read_database(environment), environment.url("PARLEY_CONTACTS_URL"),
                    environment.url("PARLEY_CONVERSATIONS_URL"), environment.url("PARLEY_ORGANIZATIONS_URL")};
  return [settings](chassis::Process& process) { return std::make_unique<Analytics>(process, settings); };
}

}  // namespace

}  // namespace parley::analytics

int main(int argc, char** argv) {
  return parley::chassis::run(
      argc, argv,
      {.name = "analytics",
       .description = "What campaigns achieved, and how messages, conversations and contacts went",
       .listen = "127.0.0.1:8084",
       .admin_listen = "127.0.0.1:9084",
       .schema = parley::analytics::schema,
       .configure = parley::analytics::configure,
       .add_commands = parley::analytics::rollups::add_commands});
}
