#include "contacts/commands.hpp"

#include "common/chassis/command.hpp"
#include "common/chassis/parked.hpp"
#include "common/events/inbox/sql.hpp"
#include "common/events/outbox/sql.hpp"
#include "contacts/quotas.hpp"

namespace parley::contacts {

namespace {

// The new epoch also invalidates cached counts.
pg::Batch settle_restored() {
  pg::Batch out(events::outbox::begin_epoch);
  out.add(events::inbox::let_go, "contacts");
  return out;
}

constexpr auto kRestored =
    "the feed has a new epoch: conversations compares its contacts with these, analytics counts them anew\n"
    "conversations of contacts that were made since the backup become Deleted, and are removed after a week unless "
    "they are "
    "there again by then";

}  // namespace

void add_commands(CLI::App& app) {
  chassis::add_parked_commands(
      app, {{"events", "events of other services", events::inbox::list_parked, events::inbox::replay_parked}});
  chassis::add_after_restore(app, settle_restored, kRestored);
  std::vector<std::string> names;
  for (const auto& quota : usual_quotas()) names.push_back(quota.name);
  chassis::add_set_quota(app, std::move(names));
}

}  // namespace parley::contacts
