#include "conversations/campaigns/test_sends/store.hpp"

#include <algorithm>
#include <chrono>

#include "common/events/conversation_changes.hpp"
#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "conversations/campaigns/test_sends/sql.hpp"
#include "conversations/messages/outgoing.hpp"

namespace parley::conversations::test_sends {

namespace {

// A test message expires after this time.
constexpr std::chrono::milliseconds kTestTime = std::chrono::hours(1);

struct SuppressedRow {
  model::Uuid contact_id;
  bool opted_out = false, blocked = false;
};
BOOST_DESCRIBE_STRUCT(SuppressedRow, (), (contact_id, opted_out, blocked))

struct MadeRow {
  model::Uuid id, conversation_id, contact_id;
  model::Timestamp created_at;
};
BOOST_DESCRIBE_STRUCT(MadeRow, (), (id, conversation_id, contact_id, created_at))

}  // namespace

awaitable<std::map<model::Uuid, Skipped>> Store::suppressed(pg::Transaction& transaction, model::Uuid organization,
                                                            std::vector<model::Uuid> contacts) {
  const auto results = co_await transaction.run(pg::Batch(sql::suppressed, organization, contacts));
  std::map<model::Uuid, Skipped> out;
  for (const auto& row : results.rows<SuppressedRow>())
    out.emplace(row.contact_id, row.blocked ? Skipped::Blocked : Skipped::OptedOut);
  co_return out;
}

awaitable<void> Store::send(pg::Transaction& transaction, model::Uuid organization, std::string phone_number_id,
                            model::MessageSender sender, std::vector<Sending> messages) {
  if (messages.empty()) co_return;
  // Conversations are locked in the order of their contacts, as everywhere.
  std::sort(messages.begin(), messages.end(),
            [](const Sending& a, const Sending& b) { return a.contact_id < b.contact_id; });
  const auto expires_at = model::Timestamp{model::Timestamp::now().milliseconds_since_epoch + kTestTime.count()};
  std::vector<model::Uuid> ids;
  pg::Batch batch;
  for (auto& message : messages) {
    const auto started = co_await conversations_.start(transaction, organization, message.contact_id);
    ids.push_back(message.message_id);
    messages::add_outgoing(batch, {organization, message.message_id, started.id, message.contact_id, std::nullopt,
                                   message.type, model::RawJson{std::move(message.data)}, phone_number_id,
                                   std::move(message.recipient), sender, expires_at});
  }
  const auto last = batch.size();
  batch.add(sql::made, organization, ids);
  const auto results = co_await transaction.run(std::move(batch));
  events::Changes changes;
  for (const auto& row : results.rows<MadeRow>(last))
    changes.add(events::MessageCreated{organization, row.conversation_id, row.contact_id, row.id,
                                       model::MessageDirection::OutBound, row.created_at});
  co_await transaction.run(pg::Batch(events::outbox::append, changes.json()));
}

}  // namespace parley::conversations::test_sends
