#include "contacts/identities/opt_outs.hpp"

#include <map>

#include "common/events/changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "contacts/identities/sql.hpp"
#include "contacts/lists/tally.hpp"

namespace parley::contacts::identities {

awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events) {
  std::map<model::Uuid, std::vector<model::Uuid>> spoken;  // contacts by organization
  pg::Batch changes;
  const auto add = [&](const pg::Statement& statement, const auto& said) {
    spoken[said.organizationId].push_back(said.contactId);
    changes.add(statement, said.organizationId, said.contactId, said.at);
  };
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event)) {
      if (const auto said = change.as<events::ContactOptedOut>()) add(sql::opt_out, *said);
      if (const auto said = change.as<events::ContactOptedIn>()) add(sql::opt_in, *said);
    }
  if (spoken.empty()) co_return;
  pg::Batch locks;
  for (const auto& [organization, contacts] : spoken) locks.add(sql::lock_spoken, organization, contacts);
  co_await transaction.run(std::move(locks));
  for (const auto& [organization, contacts] : spoken) lists::add_to_tallies(changes, organization, 0);
  co_await transaction.run(std::move(changes));
}

awaitable<void> emit_all(pg::Transaction& transaction) {
  events::Changes unsure;
  unsure.add(events::ContactsUnsure{model::Timestamp::now()});
  pg::Batch batch(sql::tell_statuses);
  batch.add(events::outbox::append, unsure.json());
  co_await transaction.run(std::move(batch));
}

}  // namespace parley::contacts::identities
