#include "analytics/rollups/store.hpp"

#include "analytics/rollups/counts.hpp"
#include "analytics/rollups/sql.hpp"

namespace parley::analytics::rollups {

namespace {

// The rows by columns, as the statements take them.
struct Columns {
  explicit Columns(const std::map<Differences::Key, Counts>& rows) {
    for (const auto& [key, values] : rows) {
      organization_ids.push_back(key.organization_id);
      campaign_ids.push_back(key.campaign_id);
      buckets.push_back(key.bucket);
      for (std::size_t i = 0; i < kCounts; ++i) counts[i].push_back(values[i]);
    }
  }
  std::vector<model::Uuid> organization_ids, campaign_ids;
  std::vector<model::Timestamp> buckets;
  std::array<std::vector<std::int64_t>, kCounts> counts;
};

}  // namespace

awaitable<void> apply(pg::Transaction& transaction, std::span<const events::Event> events) {
  Differences differences;
  for (const auto& event : events) differences.add(event);
  if (differences.of_campaigns().empty()) co_return;
  const Columns campaigns(differences.of_campaigns()), organizations(differences.of_organizations());
  pg::Batch batch;
  std::apply(
      [&](const auto&... counts) {
        batch.add(sql::add_to_campaigns, campaigns.organization_ids, campaigns.campaign_ids, campaigns.buckets,
                  counts...);
      },
      campaigns.counts);
  std::apply(
      [&](const auto&... counts) {
        batch.add(sql::add_to_organizations, organizations.organization_ids, organizations.buckets, counts...);
      },
      organizations.counts);
  co_await transaction.run(std::move(batch));
}

awaitable<void> forget(pg::Transaction& transaction) {
  co_await transaction.run(pg::Batch(sql::clear_campaigns).add(sql::clear_organizations));
}

}  // namespace parley::analytics::rollups
