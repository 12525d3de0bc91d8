// The role `dispatch`: sends to the channel and applies its reports.
#include "common/chassis/events.hpp"
#include "common/chassis/schema.hpp"
#include "common/chassis/service_client.hpp"
#include "common/chassis/settings.hpp"
#include "conversations/campaigns/audience/worker.hpp"
#include "conversations/campaigns/audience_lists/worker.hpp"
#include "conversations/campaigns/experiments/worker.hpp"
#include "conversations/campaigns/worker.hpp"
#include "conversations/channel/media/copier.hpp"
#include "conversations/channel/templates/limits.hpp"
#include "conversations/dispatch/worker.hpp"
#include "conversations/events/subscriptions/worker.hpp"
#include "conversations/inbox/webhooks/worker.hpp"
#include "conversations/recovery/restore_holds/watch.hpp"
#include "conversations/roles.hpp"
#include "conversations/schema.hpp"

namespace parley::conversations {

namespace {

struct Settings {
  pg::Settings database;
  channel::Settings channel;
  dispatch::Settings dispatch;
  std::string contacts_url, organizations_url;
  std::shared_ptr<const secrets::KeyRing> keys;
  subscriptions::DeliverySettings subscriptions;
  media::CopierSettings media;
  std::optional<media::BucketSettings> bucket;
};

class Dispatching final : public chassis::Application {
 public:
  Dispatching(chassis::Process& process, const Settings& settings)
      : database_(process.context(), settings.database),
        schema_(process, database_, schema),
        restore_(process, database_),
        feed_(process, database_, kEventConsumers),
        contacts_(process, "contacts", settings.contacts_url),
        organizations_(process, "organizations", settings.organizations_url),
        accounts_(process, organizations_),
        channel_(process, settings.channel),
        template_store_(database_),
        catalogue_(accounts_, channel_, template_store_),
        limits_(process, catalogue_, template_store_),
        dispatch_(process, database_, accounts_, channel_, settings.dispatch),
        webhooks_(process, database_, accounts_, contacts_),
        media_files_(process, database_, settings.bucket),
        media_(process, database_, media_files_, accounts_, channel_, settings.media),
        audience_(process, database_, contacts_),
        campaigns_(process, database_),
        experiments_(process, database_),
        retargets_(process, database_, contacts_),
        subscriptions_(process, database_, feed_, settings.keys, settings.subscriptions,
                       [this](model::Uuid organization, std::vector<model::Uuid> members) {
                         return members_of(organization, std::move(members));
                       }) {
    process.watch(database_);
    process.watch("contacts", contacts_.client().upstream());
    process.watch("organizations", organizations_.client().upstream());
  }

  void start() override {
    database_.start();
    schema_.start();
    restore_.start();
    feed_.start();
    accounts_.start();
    limits_.start();
    dispatch_.start();
    webhooks_.start();
    media_.start();
    audience_.start();
    campaigns_.start();
    experiments_.start();
    retargets_.start();
    subscriptions_.start();
  }
  std::string not_ready() const override {
    auto why = schema_.not_ready();
    return why.empty() ? restore_.not_ready() : why;
  }
  boost::asio::awaitable<void> stop() override {
    schema_.stop();
    co_await dispatch_.stop();
    co_await limits_.stop();
    co_await webhooks_.stop();
    co_await media_.stop();
    co_await audience_.stop();
    co_await campaigns_.stop();
    co_await experiments_.stop();
    co_await retargets_.stop();
    co_await subscriptions_.stop();
    co_await restore_.stop();
    accounts_.stop();
    feed_.stop();
    co_await database_.close();
  }

 private:
  boost::asio::awaitable<std::optional<chassis::Fragments>> members_of(model::Uuid organization,
                                                                       std::vector<model::Uuid> members) {
    co_return co_await organizations_.parts(
        organizations_.start(contracts::organizations::members, {organization, std::move(members)}, own_scope_));
  }

  chassis::RequestContext own_scope_;
  pg::Pool database_;
  chassis::SchemaWatch schema_;
  restore_holds::Watch restore_;
  chassis::EventFeed feed_;
  chassis::ServiceClient contacts_, organizations_;
  channel::Accounts accounts_;
  channel::Client channel_;
  templates::Store template_store_;
  templates::Catalogue catalogue_;
  templates::Limits limits_;
  dispatch::Worker dispatch_;
  webhooks::Worker webhooks_;
  media::Files media_files_;
  media::Copier media_;
  audience::Worker audience_;
  campaigns::Worker campaigns_;
  experiments::Worker experiments_;
  audience_lists::Worker retargets_;
  subscriptions::Worker subscriptions_;
};

}  // namespace

chassis::Factory configure_dispatching(chassis::Environment& environment) {
  Settings settings{chassis::read_database(environment),
                    channel::Settings::read(environment),
                    dispatch::Settings::read(environment),
                    environment.url("PARLEY_CONTACTS_URL"),
                    environment.url("PARLEY_ORGANIZATIONS_URL"),
                    chassis::read_keys(environment),
                    subscriptions::DeliverySettings::read(environment),
                    media::CopierSettings::read(environment),
                    media::BucketSettings::read(environment)};
  // No client waits here, so that work of many numbers may queue for longer.
  settings.database.max_waiters = 4'096;
  settings.database.write_wait = std::chrono::seconds(5);
  return [settings](chassis::Process& process) { return std::make_unique<Dispatching>(process, settings); };
}

}  // namespace parley::conversations
