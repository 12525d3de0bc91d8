// The contacts service: contacts, lists, tags, segments, imports and exports.
#include "common/chassis/events.hpp"
#include "common/chassis/idempotency.hpp"
#include "common/chassis/program.hpp"
#include "common/chassis/quotas_api.hpp"
#include "common/chassis/removals.hpp"
#include "common/chassis/schema.hpp"
#include "common/chassis/service_client.hpp"
#include "common/chassis/settings.hpp"
#include "common/contracts/quotas.hpp"
#include "common/events/audit_recorded.hpp"
#include "common/events/changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/model/phone.hpp"
#include "common/removals/organizations.hpp"
#include "contacts/activity/activity.hpp"
#include "contacts/audience/api.hpp"
#include "contacts/bulk/api.hpp"
#include "contacts/commands.hpp"
#include "contacts/contacts/api.hpp"
#include "contacts/deletions/kinds.hpp"
#include "contacts/identities/api.hpp"
#include "contacts/identities/opt_outs.hpp"
#include "contacts/imports/api.hpp"
#include "contacts/indexing/worker.hpp"
#include "contacts/lists/api.hpp"
#include "contacts/lists/campaigns.hpp"
#include "contacts/schema.hpp"
#include "contacts/segments/api.hpp"
#include "contacts/snapshot/sql.hpp"
#include "contacts/tags/api.hpp"

namespace parley::contacts {

namespace {

using boost::asio::awaitable;

struct Settings {
  pg::Settings database;
  redis::Settings redis;
  std::string conversations_url, organizations_url;
  std::string country;  // country of numbers without a calling code; "" accepts none
  chassis::Quotas quotas;
};

// Forwards the audit entries of conversations: organizations keeps the audit and follows only this service's feed.
awaitable<void> pass_on_audits(pg::Transaction& transaction, std::span<const events::Event> events) {
  events::Changes changes;
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event))
      if (const auto audit = change.as<events::AuditRecorded>()) changes.add(*audit);
  if (!changes.empty()) co_await transaction.run(pg::Batch(events::outbox::append, changes.json()));
}

// Locks lists before contacts, like every transaction that changes both.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events) {
  co_await lists::apply_conversations(transaction, events);
  co_await activity::apply_conversations(transaction, events);
  co_await identities::apply_conversations(transaction, events);
  co_await pass_on_audits(transaction, events);
}

// What background work reports goes to the log.
std::function<void(std::string_view, bool)> reporting(chassis::Process& process, const char* subject) {
  return [&process, subject](std::string_view what, bool failed) {
    process.log().line(failed ? chassis::Level::warn : chassis::Level::info, subject).with("what", what);
  };
}

class Contacts final : public chassis::Application {
 public:
  Contacts(chassis::Process& process, const Settings& settings)
      : process_(process),
        database_(process.context(), settings.database),
        redis_(process.context().get_executor(), settings.redis),
        counts_(redis_, ""),
        schema_(process, database_, schema),
        idempotency_(process, database_),
        feed_(process, database_, {"analytics", "conversations", "organizations"}),
        organizations_(process, database_, "organizations", settings.organizations_url, removals::apply_organizations,
                       removals::forget_nothing, events::Dropped::applied),
        conversations_feed_(process, database_, "conversations", settings.conversations_url, apply_conversations,
                            identities::emit_all, events::Dropped::made_up),
        removals_(process, database_, deletions::kinds()),
        conversations_(process, "conversations", settings.conversations_url),
        quotas_(settings.quotas),
        quotas_api_(process, database_, quotas_, "/api/contacts/quotas", contracts::quotas::of_contacts),
        room_(std::make_shared<segments::Room>(database_)),
        contact_store_(database_, counts_, quotas_, room_),
        contact_api_(process, contact_store_, conversations_, settings.country),
        identities_store_(database_, quotas_),
        identities_api_(process, identities_store_, contact_store_),
        audience_store_(database_, room_),
        audience_api_(process, audience_store_),
        list_store_(database_, counts_, quotas_),
        list_api_(process, list_store_),
        tag_store_(database_, counts_, quotas_),
        tag_api_(process, database_, tag_store_),
        segment_store_(database_, quotas_),
        segment_api_(process, segment_store_, contact_store_),
        import_store_(database_, quotas_),
        import_worker_(process.context(), import_store_, reporting(process, "imports")),
        import_api_(process, import_store_, import_worker_, settings.country),
        bulk_store_(database_, contact_store_, segment_store_, quotas_),
        bulk_worker_(process.context(), bulk_store_, reporting(process, "bulk changes")),
        bulk_api_(process, bulk_store_, bulk_worker_),
        index_store_(database_),
        index_worker_(process.context(), index_store_, reporting(process, "indexes of attributes")) {
    feed_.tell_snapshots({.walks = {&snapshot::sql::contacts}, .is_whole = false});  // deleted contacts leave no row
    process.watch(database_);
    process.watch(redis_);
    process.watch("counts", counts_);
    const auto& kept = contact_store_.catalogue_stats();
    const auto counters = process.watch_cache("catalogue");
    process.metrics().add_from(counters.hits, [&kept] { return double(kept.hits); });
    process.metrics().add_from(counters.misses, [&kept] { return double(kept.misses); });
    process.pipeline().composes("conversations");
    process.watch("conversations", conversations_.client().upstream());
  }

  void start() override {
    database_.start();
    redis_.open();
    schema_.start();
    idempotency_.start();
    feed_.start();
    organizations_.start();
    conversations_feed_.start();
    removals_.start();
    import_worker_.start(process_);
    bulk_worker_.start(process_);
    index_worker_.start(process_);
  }
  std::string not_ready() const override { return schema_.not_ready(); }
  void finish_waits() override { feed_.stop(); }  // followers of the feed are waiting for its next event
  awaitable<void> stop() override {
    schema_.stop();
    idempotency_.stop();
    organizations_.stop();
    conversations_feed_.stop();
    removals_.stop();
    co_await import_worker_.stop();
    co_await bulk_worker_.stop();
    co_await index_worker_.stop();
    co_await database_.close();
    redis_.close();
  }

 private:
  chassis::Process& process_;
  pg::Pool database_;
  redis::Client redis_;
  redis::CountCache counts_;
  chassis::SchemaWatch schema_;
  chassis::Idempotency idempotency_;
  chassis::EventFeed feed_;
  chassis::EventConsumer organizations_, conversations_feed_;
  chassis::Removals removals_;
  chassis::ServiceClient conversations_;
  const chassis::Quotas quotas_;
  chassis::QuotasApi quotas_api_;
  const std::shared_ptr<segments::Room> room_;  // for the filters of both
  contacts::Store contact_store_;
  contacts::Api contact_api_;
  identities::Store identities_store_;
  identities::Api identities_api_;
  audience::Store audience_store_;
  audience::Api audience_api_;
  lists::Store list_store_;
  lists::Api list_api_;
  tags::Store tag_store_;
  tags::Api tag_api_;
  segments::Store segment_store_;
  segments::Api segment_api_;
  imports::Store import_store_;
  imports::Worker import_worker_;
  imports::Api import_api_;
  bulk::Store bulk_store_;
  bulk::Worker bulk_worker_;
  bulk::Api bulk_api_;
  indexing::Store index_store_;
  indexing::Worker index_worker_;
};

chassis::Factory configure(chassis::Environment& environment) {
  Settings settings{chassis::read_database(environment),
                    chassis::read_redis(environment),
                    environment.url("PARLEY_CONVERSATIONS_URL"),
                    environment.url("PARLEY_ORGANIZATIONS_URL"),
                    environment.text("PARLEY_DEFAULT_COUNTRY", ""),
                    chassis::Quotas::read(environment, usual_quotas())};
  // Searches are short but arrive in bursts, one per keystroke.
  settings.database.max_waiters = 512;
  if (!settings.country.empty() && !model::is_phone_country(settings.country))
    environment.fault("PARLEY_DEFAULT_COUNTRY", "must be a country of ISO 3166, such as DE");
  return [settings](chassis::Process& process) { return std::make_unique<Contacts>(process, settings); };
}

}  // namespace

}  // namespace parley::contacts

int main(int argc, char** argv) {
  return parley::chassis::run(argc, argv,
                              {.name = "contacts",
                               .description = "Contacts, lists and tags",
                               .listen = "127.0.0.1:8081",
                               .admin_listen = "127.0.0.1:9081",
                               .schema = parley::contacts::schema,
                               .configure = parley::contacts::configure,
                               .add_commands = parley::contacts::add_commands});
}
