#include "analytics/reports/store.hpp"

#include <algorithm>

#include "analytics/reports/sql.hpp"
#include "analytics/rollups/sql.hpp"
#include "analytics/rollups/store.hpp"

namespace parley::analytics::reports {

namespace {

struct Days {
  model::Timestamp starts, ends;
};
BOOST_DESCRIBE_STRUCT(Days, (), (starts, ends))

std::string_view unit_of(const Span& span) { return span.by_hours ? "hour" : "day"; }

void add_chosen(pg::Batch& batch, const model::Uuid& organization, const Span& span, const Filter& filter) {
  const auto& statement = sql::chosen[{.by_campaign = filter.campaign.has_value(),
                                       .by_list = filter.list.has_value(),
                                       .by_tag = filter.tag.has_value(),
                                       .described = filter.list || filter.tag}];
  batch.add(statement, organization, span.starts, span.ends, unit_of(span), span.zone, filter.campaign, filter.list,
            filter.tag);
}

// The moment from which the figures of all these feeds are exact; nullopt if all figures are.
std::optional<model::Timestamp> exact_from(const std::vector<rollups::Inexact>& rows,
                                           std::initializer_list<std::string_view> producers) {
  std::optional<model::Timestamp> out;
  for (const auto& row : rows)
    if (std::ranges::count(producers, row.producer) > 0) out = std::max(out, std::optional(row.exact_from));
  return out;
}

}  // namespace

awaitable<CampaignFigures> Store::campaigns(model::Uuid organization, Span span, Filter filter) {
  pg::Batch batch(rollups::sql::coverage);
  if (filter.campaign || filter.list || filter.tag)
    add_chosen(batch, organization, span, filter);
  else
    batch.add(sql::campaigns, organization, span.starts, span.ends, unit_of(span), span.zone);
  const auto results = co_await database_.read_anywhere(std::move(batch));
  co_return CampaignFigures{results.rows<Slot>(1), exact_from(results.rows<rollups::Inexact>(0), {"conversations"})};
}

awaitable<std::optional<CampaignFigures>> Store::campaign(model::Uuid organization, model::Uuid id, Span span) {
  pg::Batch batch(rollups::sql::coverage);
  batch.add(sql::knows, organization, id);
  add_chosen(batch, organization, span, {.campaign = id, .list = {}, .tag = {}});
  const auto results = co_await database_.read_anywhere(std::move(batch));
  if (!results.one<bool>(1)) co_return std::nullopt;
  co_return CampaignFigures{results.rows<Slot>(2), exact_from(results.rows<rollups::Inexact>(0), {"conversations"})};
}

awaitable<PrimaryFigures> Store::primary(model::Uuid organization, Span span) {
  pg::Batch batch(rollups::sql::coverage);
  batch.add(sql::primary, organization, span.starts, span.ends, unit_of(span), span.zone);
  batch.add(sql::contacts_before, organization, span.starts);
  const auto results = co_await database_.read_anywhere(std::move(batch));
  const auto inexact = results.rows<rollups::Inexact>(0);
  PrimaryFigures out{results.rows<PrimarySlot>(1), std::nullopt, exact_from(inexact, {"conversations", "contacts"})};
  // Contacts deleted before exact_from are in no sum, so earlier totals are unknown.
  if (span.starts >= exact_from(inexact, {"contacts"}).value_or(span.starts))
    out.contacts_before = results.one<std::int64_t>(2);
  co_return out;
}

awaitable<bool> Store::knows_zone(std::string name) {
  if (name == "UTC") co_return true;
  if (zones_.empty()) {
    const auto results = co_await database_.slow(pg::Batch(sql::zones));
    for (auto& zone : results.rows<std::string>()) zones_.insert(std::move(zone));
  }
  co_return zones_.contains(name);
}

awaitable<Edges> Store::resolve_days(Edges edges) {
  const std::string& first = edges.from.day ? *edges.from.day : *edges.to.day;
  const std::string& last = edges.to.day ? *edges.to.day : first;
  const auto results = co_await database_.read(pg::Batch(sql::days, first, last, edges.zone));
  const auto days = results.one<Days>();
  if (edges.from.day) edges.from.moment = days.starts;
  if (edges.to.day) edges.to.moment = days.ends;
  co_return edges;
}

}  // namespace parley::analytics::reports
