#include "conversations/campaigns/store.hpp"

#include "common/events/outbox/sql.hpp"
#include "common/pg/column.hpp"
#include "common/removals/sql.hpp"
#include "conversations/campaigns/links/urls.hpp"
#include "conversations/campaigns/rendering/message.hpp"
#include "conversations/campaigns/rows.hpp"
#include "conversations/campaigns/sql.hpp"
#include "conversations/campaigns/status.hpp"
#include "conversations/messages/sql.hpp"

namespace parley::conversations::campaigns {

namespace {

using Ids = std::vector<model::Uuid>;

std::vector<model::Tag> tags_of(const std::vector<std::string>& told) {
  std::vector<model::Tag> out;
  for (std::size_t i = 0; i + 1 < told.size(); i += 2)
    out.push_back({told[i + 1], model::Uuid::parse(told[i]).value_or(model::Uuid{})});
  return out;
}

Found found_of(CampaignRow row) {
  model::Campaign campaign{.uniqueId = row.uniqueId,
                           .name = std::move(row.name),
                           .description = std::move(row.description),
                           .status = row.status,
                           .statusReason = std::move(row.statusReason),
                           .message = std::move(row.message),
                           .variants = rendering::read_variants(row.variants),
                           .listIds = std::move(row.listIds),
                           .excludedListIds = std::move(row.excludedListIds),
                           .segmentIds = std::move(row.segmentIds),
                           .tags = tags_of(row.toldTags),
                           .phoneNumberId = std::move(row.phoneNumberId),
                           .scheduledAt = row.scheduledAt,
                           .timezone = std::move(row.timezone),
                           .allowedLatenessSeconds = row.allowedLatenessSeconds,
                           .messagesPerSecond = row.messagesPerSecond,
                           .createdAt = row.createdAt,
                           .updatedAt = row.updatedAt,
                           .startedAt = row.startedAt,
                           .finishedAt = row.finishedAt,
                           .progress = {},
                           .links = {}};
  return {std::move(campaign), row.ahead, row.held, row.numberByStart, std::move(row.version), row.hasExperiment};
}

void add_figures(pg::Batch& batch, const model::Uuid& organization, const Ids& ids) {
  batch.add(sql::standing, organization, ids);
  for (const auto& id : ids) links::add_links(batch, organization, id);
}

// `first`: index of the first result of add_figures().
std::vector<Found> found_of(std::vector<CampaignRow> rows, const pg::Results& results, std::size_t first) {
  std::map<model::Uuid, StandingRow> standings;
  for (const auto& standing : results.rows<StandingRow>(first)) standings.emplace(standing.id, standing);
  std::vector<Found> out;
  for (auto& row : rows) {
    const bool audience_done = row.audienceDone;
    auto& found = out.emplace_back(found_of(std::move(row)));
    auto& campaign = found.campaign;
    campaign.progress = progress_of(standings[campaign.uniqueId], campaign.status, audience_done);
    if (campaign.startedAt) campaign.links = results.rows<model::CampaignLink>(first + out.size());
  }
  return out;
}

pg::Batch finding(const model::Uuid& organization, const model::Uuid& id) {
  pg::Batch batch(sql::find, organization, id);
  add_figures(batch, organization, {id});
  return batch;
}

void add_content(pg::Batch& batch, const pg::Statement& statement, const model::Uuid& organization,
                 const model::Campaign& campaign) {
  Ids tags;
  events::CampaignDescribed described{organization, campaign.uniqueId, campaign.name, campaign.listIds, {}};
  for (const auto& tag : campaign.tags) {
    tags.push_back(tag.uniqueId);
    described.tags.push_back(tag.uniqueId.text());
    described.tags.push_back(tag.label);
  }
  batch.add(statement, organization, campaign.uniqueId, campaign.name, campaign.description, campaign.message,
            model::RawJson{model::to_json(campaign.variants)}, campaign.listIds, campaign.excludedListIds, tags,
            described.tags, campaign.phoneNumberId, campaign.scheduledAt, campaign.timezone,
            campaign.allowedLatenessSeconds, campaign.messagesPerSecond, campaign.segmentIds);
  events::Changes changes;
  changes.add(described);
  batch.add(events::outbox::append, changes.json());
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, Filter filter, std::function<void(std::size_t)> expect) {
  const bool by_search = !filter.search.empty();
  const bool by_status = filter.status.has_value();
  const bool by_list = filter.list_id.has_value();
  const bool by_tag = filter.tag.has_value();
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.after.has_value(),
                       .by_list = by_list,
                       .by_name = filter.sort_by == SortBy::name,
                       .by_search = by_search,
                       .by_status = by_status,
                       .by_tag = by_tag,
                       .descending = filter.descending}],
            organization, filter.search, filter.status, filter.list_id, filter.tag,
            filter.after ? filter.after->id : model::Uuid{}, filter.after ? filter.after->text : "",
            filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count_page[{.by_list = by_list, .by_search = by_search, .by_status = by_status, .by_tag = by_tag}],
            organization, filter.search, filter.status, filter.list_id, filter.tag);
  auto results = co_await database_.read_anywhere(std::move(batch));
  const auto total = results.one<std::int64_t>(1);
  auto found = results.rows<PageRow>(0);
  results = {};
  const bool cut = found.size() > 1 && found.back().octets > std::int64_t{http::kMaxPageOctets};
  if (cut) found.pop_back();
  if (!found.empty()) expect(static_cast<std::size_t>(found.back().octets));
  std::vector<CampaignRow> rows(std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  pg::Batch figures;
  add_figures(figures, organization, pg::column(rows, &CampaignRow::uniqueId));
  const auto counted = co_await database_.read_anywhere(std::move(figures));
  Page page{{}, total, cut};
  for (auto& found : found_of(std::move(rows), counted, 0)) page.campaigns.push_back(std::move(found.campaign));
  co_return page;
}

awaitable<std::optional<Found>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(finding(organization, id));
  auto rows = results.rows<CampaignRow>(0);
  if (rows.empty()) co_return std::nullopt;
  co_return std::move(found_of(std::move(rows), results, 1).front());
}

awaitable<bool> Store::is_zone(std::string name) {
  if (zones_.empty()) {
    const auto results = co_await database_.slow(pg::Batch(sql::zones));
    for (auto& zone : results.rows<std::string>()) zones_.insert(std::move(zone));
  }
  co_return zones_.contains(name);
}

awaitable<model::Timestamp> Store::moment(std::string local, std::string zone) {
  const auto results = co_await database_.read(pg::Batch(sql::moment, local, zone));
  co_return results.one<model::Timestamp>();
}

awaitable<void> Store::create(pg::Transaction& transaction, model::Uuid organization, const model::Campaign& campaign) {
  co_await quotas_.require(transaction, organization, kQuota);
  pg::Batch batch;
  add_content(batch, sql::insert, organization, campaign);
  co_await transaction.run(std::move(batch));
}

awaitable<void> Store::update(pg::Transaction& transaction, model::Uuid organization, const model::Campaign& campaign) {
  pg::Batch batch;
  add_content(batch, sql::update, organization, campaign);
  co_await transaction.run(std::move(batch));
}

awaitable<std::optional<Found>> Store::lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock, organization, id));
  auto row = results.optional<CampaignRow>();
  if (!row) co_return std::nullopt;
  co_return found_of(std::move(*row));
}

awaitable<void> Store::prepare(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                               std::string phone_number_id, const std::vector<std::string>& urls) {
  pg::Batch batch(messages::sql::insert_sender, organization, phone_number_id);
  batch.add(sql::set_phone_number, organization, id, phone_number_id);
  links::set_urls(batch, organization, id, urls);
  co_await transaction.run(std::move(batch));
}

awaitable<void> Store::delay(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                             std::chrono::seconds delay) {
  co_await transaction.run(pg::Batch(sql::delay_start, organization, id, delay.count()));
}

awaitable<void> Store::take_back(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  co_await transaction.run(pg::Batch(sql::take_back, organization, id));
}

awaitable<bool> Store::move(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                            model::CampaignStatus from, model::CampaignStatus to, std::string reason) {
  events::Changes changes;
  if (!co_await campaigns::move(transaction, organization, id, from, to, std::move(reason), changes)) co_return false;
  co_await transaction.run(pg::Batch(events::outbox::append, changes.json()));
  co_return true;
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  pg::Batch batch(sql::hide, organization, id);
  batch.add(removals::sql::begin, organization, kDeletion, Ids{id});
  co_await transaction.run(std::move(batch));
}

awaitable<Found> Store::see(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  const auto results = co_await transaction.run(finding(organization, id));
  co_return std::move(found_of(results.rows<CampaignRow>(0), results, 1).front());
}

}  // namespace parley::conversations::campaigns
