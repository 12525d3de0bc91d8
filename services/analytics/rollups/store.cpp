#include "analytics/rollups/store.hpp"

#include <limits>

#include "analytics/deletions/kinds.hpp"
#include "analytics/rollups/counts.hpp"
#include "analytics/rollups/sql.hpp"

namespace parley::analytics::rollups {

namespace {

constexpr std::int64_t kPagesAtOnce = 1'000;
constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

template <std::size_t size>
struct Columns {
  explicit Columns(const Rows<std::array<std::int64_t, size>>& rows) {
    for (const auto& [key, values] : rows) {
      organization_ids.push_back(key.organization_id);
      campaign_ids.push_back(key.campaign_id);
      buckets.push_back(key.bucket);
      for (std::size_t i = 0; i < size; ++i) counts[i].push_back(values[i]);
    }
  }
  std::vector<model::Uuid> organization_ids, campaign_ids;
  std::vector<model::Timestamp> buckets;
  std::array<std::vector<std::int64_t>, size> counts;
};

// For rollups without campaigns.
template <class Values>
void add_rows(pg::Batch& batch, const pg::Statement& statement, const Rows<Values>& rows) {
  if (rows.empty()) return;
  const Columns columns(rows);
  std::apply([&](const auto&... counts) { batch.add(statement, columns.organization_ids, columns.buckets, counts...); },
             columns.counts);
}

void add_campaigns(pg::Batch& batch, const Rows<Counts>& rows) {
  if (rows.empty()) return;
  const Columns columns(rows);
  std::apply(
      [&](const auto&... counts) {
        batch.add(sql::add_to_campaigns, columns.organization_ids, columns.campaign_ids, columns.buckets, counts...);
      },
      columns.counts);
}

pg::Batch statements_of(const Differences& differences) {
  pg::Batch batch;
  for (const auto& [key, description] : differences.descriptions()) {
    const auto& campaign = description.change;
    batch.add(sql::describe, campaign.organizationId, campaign.campaignId, campaign.name, campaign.listIds,
              campaign.tags, description.position);
  }
  add_campaigns(batch, differences.of_campaigns());
  add_rows(batch, sql::add_to_organizations, differences.of_organizations());
  add_rows(batch, sql::add_to_messages, differences.of_messages());
  return batch;
}

pg::Batch statements_of(const ContactDifferences& differences) {
  pg::Batch batch;
  add_rows(batch, sql::add_to_contacts, differences.rows());
  return batch;
}

template <class Differences>
awaitable<void> apply(pg::Transaction& transaction, std::span<const events::Event> events) {
  Differences differences;
  for (const auto& event : events) differences.add(event);
  auto batch = statements_of(differences);
  if (!batch.empty()) co_await transaction.run(std::move(batch));
}

// DELETE, as TRUNCATE would block readers until the transaction ends.
awaitable<void> clear(pg::Transaction& transaction, const pg::Statement& statement, std::string_view table) {
  const auto asked = co_await transaction.run(pg::Batch(sql::pages, table));
  const auto pages = asked.one<std::int64_t>();
  for (std::int64_t page = 0; page < pages; page += kPagesAtOnce)
    co_await transaction.run(pg::Batch(statement, page, page + kPagesAtOnce));
}

template <class Differences>
awaitable<void> restore(pg::Transaction& transaction, events::SnapshotReader& snapshot, std::string_view producer) {
  const auto& head = snapshot.head();
  for (auto lines = co_await snapshot.next(); !lines.empty(); lines = co_await snapshot.next()) {
    std::vector<events::Event> events;
    for (const auto& line : lines) events.push_back({head.position, {'[' + line + ']'}, {}});
    co_await apply<Differences>(transaction, events);
  }
  co_await transaction.run(pg::Batch(sql::cover, producer, head.exactFrom));
}

// A removal that ran while the snapshot was read may have missed rows that were not committed yet.
awaitable<void> remove_deleted(pg::Transaction& transaction, const removals::Tables& tables) {
  const auto gone = co_await transaction.run(pg::Batch(sql::deleted_organizations));
  pg::Batch batch;
  for (const auto& organization : gone.rows<model::Uuid>())
    for (const auto& step : tables.steps()) batch.add(*step.statement, organization, organization, kAll);
  if (!batch.empty()) co_await transaction.run(std::move(batch));
}

}  // namespace

awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events) {
  return apply<Differences>(transaction, events);
}

awaitable<void> apply_contacts(pg::Transaction& transaction, std::span<const events::Event> events) {
  return apply<ContactDifferences>(transaction, events);
}

awaitable<void> forget_conversations(pg::Transaction& transaction) {
  co_await clear(transaction, sql::clear_campaigns, "campaign_rollup");
  co_await clear(transaction, sql::clear_organizations, "organization_rollup");
  co_await clear(transaction, sql::clear_messages, "message_rollup");
  co_await clear(transaction, sql::clear_descriptions, "campaign");
}

awaitable<void> forget_contacts(pg::Transaction& transaction) {
  co_await clear(transaction, sql::clear_contacts, "contact_rollup");
}

awaitable<void> restore_conversations(pg::Transaction& transaction, events::SnapshotReader& snapshot) {
  co_await restore<Differences>(transaction, snapshot, "conversations");
  co_await remove_deleted(transaction, deletions::from_conversations);
}

awaitable<void> restore_contacts(pg::Transaction& transaction, events::SnapshotReader& snapshot) {
  co_await restore<ContactDifferences>(transaction, snapshot, "contacts");
  co_await remove_deleted(transaction, deletions::from_contacts);
}

}  // namespace parley::analytics::rollups
