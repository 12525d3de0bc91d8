// The role `serve`: answers requests, and runs their background work.
#include "common/chassis/events.hpp"
#include "common/chassis/idempotency.hpp"
#include "common/chassis/quotas_api.hpp"
#include "common/chassis/removals.hpp"
#include "common/chassis/schema.hpp"
#include "common/chassis/service_client.hpp"
#include "common/chassis/settings.hpp"
#include "common/contracts/quotas.hpp"
#include "common/removals/organizations.hpp"
#include "conversations/campaigns/api.hpp"
#include "conversations/campaigns/audience/api.hpp"
#include "conversations/campaigns/audience_lists/api.hpp"
#include "conversations/campaigns/experiments/api.hpp"
#include "conversations/campaigns/figures/api.hpp"
#include "conversations/campaigns/links/api.hpp"
#include "conversations/campaigns/links/urls.hpp"
#include "conversations/campaigns/quick_replies/api.hpp"
#include "conversations/campaigns/recipients/api.hpp"
#include "conversations/campaigns/test_sends/api.hpp"
#include "conversations/channel/media/api.hpp"
#include "conversations/channel/media/copier.hpp"
#include "conversations/channel/templates/api.hpp"
#include "conversations/events/presence/api.hpp"
#include "conversations/events/stream/api.hpp"
#include "conversations/events/subscriptions/api.hpp"
#include "conversations/events/subscriptions/authorization.hpp"
#include "conversations/events/subscriptions/deliverer.hpp"
#include "conversations/inbox/conversations/api.hpp"
#include "conversations/inbox/notes/api.hpp"
#include "conversations/inbox/optout/api.hpp"
#include "conversations/inbox/webhooks/api.hpp"
#include "conversations/messages/api.hpp"
#include "conversations/messages/search/api.hpp"
#include "conversations/recovery/deletions/store.hpp"
#include "conversations/recovery/reconciliation/feed.hpp"
#include "conversations/recovery/reconciliation/reconciler.hpp"
#include "conversations/recovery/snapshot/sql.hpp"
#include "conversations/roles.hpp"
#include "conversations/schema.hpp"

namespace parley::conversations {

namespace {

struct Settings {
  pg::Settings database;
  std::optional<redis::Settings> redis;
  std::string contacts_url, organizations_url;
  channel::Settings channel;
  webhooks::Settings webhooks;
  std::shared_ptr<const secrets::KeyRing> keys;
  subscriptions::DeliverySettings subscriptions;
  std::string public_url;
  chassis::Quotas quotas;
  std::optional<media::BucketSettings> bucket;
};

chassis::Quotas read_quotas(chassis::Environment& environment) {
  return chassis::Quotas::read(environment, {{std::string(campaigns::kQuota), 1'000},
                                             {std::string(subscriptions::kQuota), 100},
                                             {std::string(quick_replies::kQuota), 1'000},
                                             media::usual_quota()});
}

// Never connected to: without Redis each total is counted.
const redis::Settings kNoRedis{.url = "redis://127.0.0.1"};

class Serving final : public chassis::Application {
 public:
  Serving(chassis::Process& process, const Settings& settings)
      : process_(process),
        database_(process.context(), settings.database),
        has_redis_(settings.redis),
        redis_(process.context().get_executor(), settings.redis.value_or(kNoRedis)),
        counts_(redis_, ""),
        schema_(process, database_, schema),
        idempotency_(process, database_),
        feed_(process, database_, kEventConsumers),
        contacts_feed_(process, database_, "contacts", settings.contacts_url, reconciliation::apply_feed,
                       reconciliation::begin_walk, events::Dropped::made_up),
        organizations_feed_(process, database_, "organizations", settings.organizations_url,
                            subscriptions::apply_organizations, subscriptions::doubt_all, events::Dropped::applied),
        removals_(process, database_, deletions::kinds()),
        contacts_(process, "contacts", settings.contacts_url),
        reconciler_(
            process.context(), database_,
            [this](http::ClientRequest request) { return contacts_.send(std::move(request), walk_scope_); },
            [&process](std::string_view what) { process.log().warn("walk over contacts").with("what", what); }),
        organizations_(process, "organizations", settings.organizations_url),
        accounts_(process, organizations_),
        channel_(process, settings.channel),
        addresses_(accounts_, contacts_),
        quotas_(settings.quotas),
        quotas_api_(process, database_, quotas_, "/api/conversations/quotas", contracts::quotas::of_conversations),
        message_store_(database_),
        message_api_(process, message_store_, addresses_),
        search_api_(process, database_),
        conversation_store_(database_, counts_),
        conversation_api_(process, conversation_store_, message_store_, addresses_, accounts_, contacts_,
                          organizations_),
        note_store_(database_),
        note_api_(process, note_store_, organizations_),
        template_store_(database_),
        catalogue_(accounts_, channel_, template_store_),
        template_api_(process, template_store_, catalogue_, accounts_, channel_),
        template_check_(catalogue_, template_store_, settings.public_url),
        campaign_store_(database_, quotas_),
        campaign_api_(process, campaign_store_, accounts_, template_check_, contacts_),
        audience_api_(process, campaign_store_, contacts_),
        trial_store_(conversation_store_),
        trial_api_(process, database_, trial_store_, campaign_store_, template_check_, accounts_, contacts_,
                   settings.public_url),
        quick_reply_store_(database_, quotas_),
        quick_reply_api_(process, quick_reply_store_, contacts_),
        media_store_(database_),
        media_files_(process, database_, settings.bucket),
        media_api_(process, media_store_, media_files_, accounts_, channel_),
        opt_out_store_(database_),
        opt_out_api_(process, opt_out_store_),
        inbox_(database_),
        webhook_api_(process, settings.webhooks, inbox_, accounts_),
        destinations_(process, database_),
        clicks_(process, database_),
        link_api_(process, destinations_, clicks_),
        recipient_store_(database_),
        recipient_api_(process, recipient_store_),
        experiment_store_(database_),
        experiment_api_(process, experiment_store_),
        figure_store_(database_),
        figure_api_(process, figure_store_),
        retarget_store_(database_),
        retarget_api_(process, retarget_store_, contacts_),
        stream_api_(process, database_, feed_),
        presence_api_(process, database_, redis_, stream_api_.hub()),
        keys_(settings.keys),
        subscription_store_(database_, *keys_, quotas_),
        subscription_api_(process, subscription_store_, settings.subscriptions.allow_private) {
    feed_.tell_snapshots(
        {.walks = {&snapshot::sql::campaigns, &snapshot::sql::conversations, &snapshot::sql::messages}});
    process.watch(database_);
    if (has_redis_) process.watch(redis_);
    process.watch("counts", counts_);
    process.watch("contacts", contacts_.client().upstream());
    process.watch("organizations", organizations_.client().upstream());
    for (const char* context : {"contacts", "organizations", "channel"}) process.pipeline().composes(context);
  }

  void start() override {
    database_.start();
    if (has_redis_) redis_.open();
    schema_.start();
    idempotency_.start();
    feed_.start();
    contacts_feed_.start();
    organizations_feed_.start();
    accounts_.start();
    removals_.start();
    clicks_.start();
    stream_api_.start();
    presence_api_.start();
    process_.spawn("walk over contacts", reconciler_.run());
  }
  std::string not_ready() const override { return schema_.not_ready(); }
  void finish_waits() override {  // ends requests that wait for the feed's next event
    presence_api_.stop();
    stream_api_.stop();
    feed_.stop();
  }
  boost::asio::awaitable<void> stop() override {
    schema_.stop();
    idempotency_.stop();
    contacts_feed_.stop();
    organizations_feed_.stop();
    accounts_.stop();
    removals_.stop();
    reconciler_.stop();
    co_await clicks_.stop();
    co_await database_.close();
    redis_.close();
  }

 private:
  chassis::Process& process_;
  pg::Pool database_;
  const bool has_redis_;
  redis::Client redis_;
  redis::CountCache counts_;
  chassis::SchemaWatch schema_;
  chassis::Idempotency idempotency_;
  chassis::EventFeed feed_;
  chassis::EventConsumer contacts_feed_, organizations_feed_;
  chassis::Removals removals_;
  chassis::ServiceClient contacts_;
  chassis::RequestContext walk_scope_;
  reconciliation::Reconciler reconciler_;
  chassis::ServiceClient organizations_;
  channel::Accounts accounts_;
  channel::Client channel_;
  messages::AddressBook addresses_;
  const chassis::Quotas quotas_;
  chassis::QuotasApi quotas_api_;
  messages::Store message_store_;
  messages::Api message_api_;
  search::Api search_api_;
  conversations::Store conversation_store_;
  conversations::Api conversation_api_;
  notes::Store note_store_;
  notes::Api note_api_;
  templates::Store template_store_;
  templates::Catalogue catalogue_;
  templates::Api template_api_;
  rendering::TemplateCheck template_check_;
  campaigns::Store campaign_store_;
  campaigns::Api campaign_api_;
  audience::Api audience_api_;
  test_sends::Store trial_store_;
  test_sends::Api trial_api_;
  quick_replies::Store quick_reply_store_;
  quick_replies::Api quick_reply_api_;
  media::Store media_store_;
  media::Files media_files_;
  media::Api media_api_;
  optout::Store opt_out_store_;
  optout::Api opt_out_api_;
  webhooks::Inbox inbox_;
  webhooks::Api webhook_api_;
  links::Destinations destinations_;
  links::Clicks clicks_;
  links::Api link_api_;
  recipients::Store recipient_store_;
  recipients::Api recipient_api_;
  experiments::Store experiment_store_;
  experiments::Api experiment_api_;
  figures::Store figure_store_;
  figures::Api figure_api_;
  audience_lists::Store retarget_store_;
  audience_lists::Api retarget_api_;
  stream::Api stream_api_;
  presence::Api presence_api_;
  std::shared_ptr<const secrets::KeyRing> keys_;
  subscriptions::Store subscription_store_;
  subscriptions::Api subscription_api_;
};

}  // namespace

chassis::Factory configure_serving(chassis::Environment& environment) {
  Settings settings{chassis::read_database(environment),     chassis::find_redis(environment),
                    environment.url("PARLEY_CONTACTS_URL"),  environment.url("PARLEY_ORGANIZATIONS_URL"),
                    channel::Settings::read(environment),    webhooks::Settings::read(environment),
                    chassis::read_keys(environment),         subscriptions::DeliverySettings::read(environment),
                    links::read_public_url(environment),     read_quotas(environment),
                    media::BucketSettings::read(environment)};
  return [settings](chassis::Process& process) { return std::make_unique<Serving>(process, settings); };
}

}  // namespace parley::conversations
