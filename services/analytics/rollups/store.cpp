#include "analytics/rollups/store.hpp"

#include "analytics/rollups/counts.hpp"
#include "analytics/rollups/coverage.hpp"
#include "analytics/rollups/sql.hpp"

namespace parley::analytics::rollups {

namespace {

constexpr std::string_view kConversations = "conversations", kContacts = "contacts";

// Rows by columns, as the statements take them.
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

// Adds a statement that adds to an organization's own rollup.
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

// All events' differences, but for what was applied under an earlier epoch.
template <class Differences>
awaitable<Differences> differences_of(pg::Transaction& transaction, std::string_view producer,
                                      std::span<const events::Event> events) {
  const auto repeated = co_await find_repeated(transaction, producer);
  Differences differences;
  for (const auto& event : events)
    if (!repeated || !repeated->has(event)) differences.add(event);
  co_return differences;
}

}  // namespace

awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events) {
  const auto differences = co_await differences_of<Differences>(transaction, kConversations, events);
  pg::Batch batch;
  for (const auto& [key, description] : differences.descriptions()) {
    const auto& campaign = description.change;
    batch.add(sql::describe, campaign.organizationId, campaign.campaignId, campaign.name, campaign.listIds,
              campaign.tags, description.position);
  }
  add_campaigns(batch, differences.of_campaigns());
  add_rows(batch, sql::add_to_organizations, differences.of_organizations());
  add_rows(batch, sql::add_to_messages, differences.of_messages());
  note_progress(batch, kConversations, events);
  co_await transaction.run(std::move(batch));
}

awaitable<void> apply_contacts(pg::Transaction& transaction, std::span<const events::Event> events) {
  const auto differences = co_await differences_of<ContactDifferences>(transaction, kContacts, events);
  pg::Batch batch;
  add_rows(batch, sql::add_to_contacts, differences.rows());
  note_progress(batch, kContacts, events);
  co_await transaction.run(std::move(batch));
}

awaitable<void> forget_conversations(pg::Transaction& transaction) {
  const bool from_first = co_await begin_anew(transaction, kConversations);
  pg::Batch batch;
  if (from_first) {
    for (const auto* statement :
         {&sql::clear_campaigns, &sql::clear_organizations, &sql::clear_messages, &sql::clear_descriptions})
      batch.add(*statement);
  } else {
    batch.add(sql::restart_descriptions);
  }
  co_await transaction.run(std::move(batch));
}

awaitable<void> forget_contacts(pg::Transaction& transaction) {
  const bool from_first = co_await begin_anew(transaction, kContacts);
  if (from_first) co_await transaction.run(pg::Batch(sql::clear_contacts));
}

}  // namespace parley::analytics::rollups
