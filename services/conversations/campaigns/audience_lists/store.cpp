#include "conversations/campaigns/audience_lists/store.hpp"

#include "common/http/problem.hpp"
#include "common/model/campaign.hpp"
#include "conversations/campaigns/audience_lists/sql.hpp"

namespace parley::conversations::audience_lists {

using model::CampaignStatus;

namespace {

constexpr std::chrono::milliseconds kAskersLease{1'000};
constexpr std::int64_t kMaxLookedAt = 50'000;  // recipients per step

struct CampaignRow {
  CampaignStatus status = CampaignStatus::Draft;
  std::int64_t last = 0;
};
BOOST_DESCRIBE_STRUCT(CampaignRow, (), (status, last))

struct JobRow {
  model::Uuid organization_id, id, campaign_id, list_id;
  model::RawJson criteria;
  std::int64_t ordinal = 0;
};
BOOST_DESCRIBE_STRUCT(JobRow, (), (organization_id, id, campaign_id, list_id, criteria, ordinal))

struct MemberRow {
  std::int64_t ordinal = 0;
  model::Uuid contact_id;
};
BOOST_DESCRIBE_STRUCT(MemberRow, (), (ordinal, contact_id))

Criteria read_criteria(const model::RawJson& json) {
  auto out = model::from_json<Criteria>(json.text);
  if (!out) throw std::logic_error("the criteria of a retarget are none");
  return std::move(*out);
}

const pg::Statement& members_who(const Criteria& criteria) {
  return sql::members[{.by_reason = criteria.reason.has_value(),
                       .by_url = criteria.url.has_value(),
                       .clicked = criteria.who == Who::Clicked,
                       .failed = criteria.who == Who::Failed,
                       .not_delivered = criteria.who == Who::NotDelivered,
                       .not_read = criteria.who == Who::DeliveredNotRead,
                       .not_replied = criteria.who == Who::ReadNotReplied,
                       .undelivered = criteria.who == Who::UnDelivered}];
}

}  // namespace

awaitable<std::optional<Retarget>> Store::find(model::Uuid organization, model::Uuid campaign, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, campaign, id));
  co_return results.optional<Retarget>();
}

awaitable<std::optional<Job>> Store::create(pg::Transaction& transaction, model::Uuid organization,
                                            model::Uuid campaign, Criteria criteria) {
  pg::Batch batch(sql::campaign, organization, campaign);
  if (criteria.url) batch.add(sql::has_url, organization, campaign, *criteria.url);
  const auto results = co_await transaction.run(std::move(batch));
  const auto row = results.optional<CampaignRow>(0);
  if (!row) co_return std::nullopt;
  if (row->status == CampaignStatus::Draft || row->status == CampaignStatus::Scheduled)
    throw http::Problem({.status = 409,
                         .detail = "the campaign is " + std::string(model::name_of(row->status)) +
                                   ": it has no recipients before it starts"});
  if (criteria.url && results.row_count(1) == 0)
    throw http::Problem({.status = 400,
                         .detail = "no message of the campaign has this URL",
                         .errors = {{"/url", "is none of the campaign's links"}}});
  Job job{organization, model::new_uuid(), campaign, model::new_uuid(), std::move(criteria), 0};
  co_await transaction.run(pg::Batch(sql::insert, organization, job.id, campaign, job.list_id,
                                     model::RawJson{model::to_json(job.criteria)}, kAskersLease.count()));
  co_return job;
}

awaitable<Retarget> Store::see(pg::Transaction& transaction, Job job) {
  const auto results = co_await transaction.run(pg::Batch(sql::find, job.organization_id, job.campaign_id, job.id));
  co_return results.one<Retarget>();
}

awaitable<std::optional<Job>> Store::claim(std::chrono::milliseconds lease) {
  const auto results = co_await database_.write(pg::Batch(sql::claim, lease.count()));
  const auto row = results.optional<JobRow>();
  if (!row) co_return std::nullopt;
  co_return Job{row->organization_id,         row->id,     row->campaign_id, row->list_id,
                read_criteria(row->criteria), row->ordinal};
}

awaitable<std::optional<Members>> Store::members(Job job, std::int64_t most) {
  const auto until = job.ordinal + kMaxLookedAt;
  pg::Batch batch(sql::campaign, job.organization_id, job.campaign_id);
  batch.add(members_who(job.criteria), job.organization_id, job.campaign_id, job.ordinal, until, most, job.criteria.url,
            job.criteria.reason);
  const auto results = co_await database_.slow(std::move(batch));
  const auto campaign = results.optional<CampaignRow>(0);
  if (!campaign) co_return std::nullopt;
  const auto rows = results.rows<MemberRow>(1);
  Members out;
  for (const auto& row : rows) out.contacts.push_back(row.contact_id);
  out.end = std::ssize(rows) == most ? rows.back().ordinal : std::min(until, std::max(job.ordinal, campaign->last));
  out.last = out.end >= campaign->last;
  co_return out;
}

awaitable<bool> Store::advance(Job job, Members members, std::int64_t contacts, std::chrono::milliseconds lease) {
  const auto results = co_await database_.write(pg::Batch(sql::advance, job.organization_id, job.id, job.ordinal,
                                                          members.end, contacts, lease.count(), members.last));
  co_return results.affected() == 1;
}

awaitable<void> Store::fail(Job job, std::string why) {
  co_await database_.write(pg::Batch(sql::fail, job.organization_id, job.id, job.ordinal, why));
}

awaitable<void> Store::release(Job job, std::chrono::milliseconds in) {
  co_await database_.write(pg::Batch(sql::release, job.organization_id, job.id, job.ordinal, in.count()));
}

}  // namespace parley::conversations::audience_lists
