#include "conversations/commands.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <memory>

#include "common/chassis/command.hpp"
#include "common/chassis/parked.hpp"
#include "common/chassis/quotas.hpp"
#include "common/chassis/reseal.hpp"
#include "common/events/inbox/sql.hpp"
#include "conversations/campaigns/quick_replies/shapes.hpp"
#include "conversations/campaigns/store.hpp"
#include "conversations/channel/media/copier.hpp"
#include "conversations/dispatch/settings.hpp"
#include "conversations/events/subscriptions/shapes.hpp"
#include "conversations/events/subscriptions/signature.hpp"
#include "conversations/events/subscriptions/sql.hpp"
#include "conversations/inbox/webhooks/sql.hpp"
#include "conversations/recovery/restore_holds/store.hpp"

namespace parley::conversations {

namespace {

using boost::asio::awaitable;

void print(const std::vector<restore_holds::Suspect>& campaigns) {
  for (const auto& campaign : campaigns) std::printf("%s\n", model::to_json(campaign).c_str());
}

struct RestoreOptions {
  std::string taken_at;
  bool nothing_lost = false;
};

awaitable<void> settle(pg::Pool& database, model::Timestamp taken_at, std::chrono::milliseconds doubt,
                       restore_holds::Settled& settled) {
  settled = co_await restore_holds::settle(database, taken_at, doubt);
}

void after_restore(const RestoreOptions& options) {
  if (options.nothing_lost) {
    chassis::run_on_database(restore_holds::settle_moved);
    std::puts("it is sent again, from where the database stands");
    chassis::end_command();
  }
  chassis::Environment environment;
  const auto doubt = dispatch::Settings::read_doubt(environment);
  if (!environment.faults().empty()) throw std::runtime_error(environment.faults().front());
  const auto taken_at = options.taken_at.empty() ? model::Timestamp::now() : *model::Timestamp::parse(options.taken_at);
  restore_holds::Settled settled;
  chassis::run_on_database([&](pg::Pool& database) { return settle(database, taken_at, doubt, settled); });
  print(settled.campaigns);
  std::printf(
      "%zu campaigns are held: say of each to whom it may have been sent (release-campaign)\n"
      "%llu queued messages are in doubt: they are not sent; what the channel does not report of within %lld s has "
      "Failed\n"
      "the feed has a new epoch: analytics makes its figures anew, contacts tells again who opted out\n"
      "campaigns that were started since the backup are Drafts again: tell their organizations\n",
      settled.campaigns.size(), static_cast<unsigned long long>(settled.in_doubt),
      static_cast<long long>(std::chrono::duration_cast<std::chrono::seconds>(doubt).count()));
  chassis::end_command();
}

void add_after_restore(CLI::App& app) {
  const auto options = std::make_shared<RestoreOptions>();
  auto* const command = app.add_subcommand(
      "after-restore", "Put right what a restored backup of the database leaves wrong, and let sending begin again");
  command
      ->add_option(
          "--taken-at", options->taken_at,
          "When the backup was taken, or somewhat later (2026-01-31T12:00:00Z); without it, all that is queued "
          "now counts as older")
      ->check([](const std::string& text) {
        return std::string(model::Timestamp::parse(text) ? "" : "must be a time such as 2026-01-31T12:00:00Z");
      });
  command->add_flag("--nothing-lost", options->nothing_lost,
                    "The database was moved while nothing ran: nothing was sent since");
  command->callback([options] { after_restore(*options); });
}

awaitable<void> list_held(pg::Pool& database, std::vector<restore_holds::Suspect>& campaigns) {
  campaigns = co_await restore_holds::held(database);
}

struct ReleaseOptions {
  std::string organization, id;
  std::int32_t sent_to = 0;
  bool all = false, sent_to_all = false, resume = false;
};

awaitable<void> release(pg::Pool& database, const ReleaseOptions& options, restore_holds::Released& released) {
  const auto doubtful = options.sent_to_all ? std::numeric_limits<std::int32_t>::max() : options.sent_to;
  if (options.all) {
    released = co_await restore_holds::release_all(database, doubtful, options.resume);
  } else {
    const auto organization = model::Uuid::parse(options.organization).value();
    const auto id = model::Uuid::parse(options.id).value();
    released.all += co_await restore_holds::release(database, organization, id, doubtful, options.resume);
    if (options.resume) released.resumed = released.all;
  }
}

void release(const ReleaseOptions& options) {
  restore_holds::Released released;
  chassis::run_on_database([&](pg::Pool& database) { return release(database, options, released); });
  if (released.all == 0) throw std::runtime_error("no such campaign is held");
  std::printf("%zu campaigns were let go: %zu go on, %zu are Paused, for their members to resume\n", released.all,
              released.resumed, released.all - released.resumed);
  chassis::end_command();
}

void add_release(CLI::App& app) {
  const auto is_uuid = [](const std::string& text) {
    return std::string(model::Uuid::parse(text) ? "" : "must be an id");
  };
  const auto options = std::make_shared<ReleaseOptions>();
  auto* const command = app.add_subcommand("release-campaign", "Let a campaign go on that after-restore has held");
  auto* const all = command->add_flag("--all", options->all, "All that are held");
  auto* const id = command->add_option("--id", options->id, "The campaign's id")->check(is_uuid)->excludes(all);
  auto* const organization = command->add_option("--organization", options->organization, "Its organization's id");
  organization->check(is_uuid)->excludes(all)->needs(id);
  id->needs(organization);
  auto* const to_all = command->add_flag("--sent-to-all", options->sent_to_all,
                                         "It may have been sent to all: those left are in doubt, none is sent to");
  auto* const to =
      command->add_option("--sent-to", options->sent_to,
                          "It may have been sent to so many of its recipients, in their order, and to "
                          "nobody behind these (0: to none since the backup). Skipped ones count too: "
                          "recipients - pending of GET /api/campaigns/{id} before the loss, and some more");
  to->check(CLI::NonNegativeNumber)->excludes(to_all);
  command->add_flag("--resume", options->resume, "And resume it; with --all not those that their members had paused");
  command->callback([=] {
    if (!options->all && options->id.empty()) throw CLI::RequiredError("--id or --all");
    if (to->count() + to_all->count() == 0) throw CLI::RequiredError("--sent-to or --sent-to-all");
    release(*options);
  });
  app.add_subcommand("held-campaigns", "List the campaigns that after-restore has held")->callback([] {
    std::vector<restore_holds::Suspect> campaigns;
    chassis::run_on_database([&](pg::Pool& database) { return list_held(database, campaigns); });
    print(campaigns);
    chassis::end_command();
  });
}

}  // namespace

void add_commands(CLI::App& app) {
  chassis::add_parked_commands(
      app, {{"webhooks", "what webhooks brought", webhooks::sql::list_parked, webhooks::sql::replay},
            {"events", "events of other services", events::inbox::list_parked, events::inbox::replay_parked},
            {"deliveries", "what organizations' webhooks did not take", subscriptions::sql::list_failed,
             subscriptions::sql::replay_failed}});
  chassis::add_reseal(
      app,
      {{"webhook", subscriptions::sql::sealed_webhooks, subscriptions::sql::reseal_webhook, [](const model::Uuid& id) {
          return std::vector<std::string>{subscriptions::field_of(id), subscriptions::field_of(id)};
        }}});
  add_after_restore(app);
  add_release(app);
  chassis::add_set_quota(app, {std::string(campaigns::kQuota), std::string(subscriptions::kQuota),
                               std::string(quick_replies::kQuota), std::string(media::kQuota)});
}

}  // namespace parley::conversations
