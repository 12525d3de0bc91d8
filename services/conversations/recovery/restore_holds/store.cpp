#include "conversations/recovery/restore_holds/store.hpp"

#include "common/chassis/command.hpp"
#include "common/events/inbox/sql.hpp"
#include "common/events/outbox/sql.hpp"
#include "conversations/campaigns/status.hpp"
#include "conversations/recovery/restore_holds/sql.hpp"

namespace parley::conversations::restore_holds {

using model::CampaignStatus;

namespace {

constexpr std::int32_t kMessages = 1'000;  // per transaction

const std::string kHeld =
    "it is not known to whom it was sent after the backup that the service was restored from: an operator has to let "
    "it "
    "go";
const std::string kReleased = "the service was restored from a backup: resume it to go on";

awaitable<std::vector<Suspect>> suspects(pg::Pool& database, model::Timestamp taken_at) {
  const auto results = co_await database.slow(pg::Batch(sql::suspects, taken_at));
  co_return results.rows<Suspect>();
}

// Pauses the campaign until an operator releases it, and emits that. False: its status changed; nothing was done.
awaitable<bool> hold(pg::Pool& database, const Suspect& campaign) {
  auto transaction = co_await database.begin();
  events::Changes changes;
  if (campaign.status != CampaignStatus::Paused)
    co_await campaigns::move(transaction, campaign.organizationId, campaign.id, campaign.status, CampaignStatus::Paused,
                             kHeld, changes);
  const auto held =
      co_await transaction.run(pg::Batch(sql::hold, campaign.organizationId, campaign.id, kHeld, campaign.status));
  if (held.affected() == 0) co_return false;
  pg::Batch last;
  if (!changes.empty()) last.add(events::outbox::append, changes.json());
  co_await transaction.commit(std::move(last));
  co_return true;
}

// Repeats until none are left: members may resume campaigns, and campaigns may start, meanwhile.
awaitable<std::vector<Suspect>> hold_all(pg::Pool& database, model::Timestamp taken_at) {
  std::vector<Suspect> out;
  for (bool more = true; more;) {
    const auto found = co_await suspects(database, taken_at);
    for (const auto& campaign : found)
      if (co_await hold(database, campaign)) out.push_back(campaign);
    more = !found.empty();
  }
  co_return out;
}

}  // namespace

awaitable<Settled> settle(pg::Pool& database, model::Timestamp taken_at, std::chrono::milliseconds doubt) {
  Settled out;
  for (std::uint64_t last = 1; last > 0; out.in_doubt += last) {
    const auto results = co_await database.write(
        pg::Batch(sql::doubt_queued, taken_at, static_cast<std::int64_t>(doubt.count()), kMessages));
    last = results.affected();
  }
  out.campaigns = co_await hold_all(database, taken_at);
  const auto last = [] {
    pg::Batch batch(events::outbox::begin_epoch);
    batch.add(events::inbox::let_go, "conversations");
    batch.add(sql::settle);
    return batch;
  };
  co_await chassis::write_patiently(database, last);
  co_return out;
}

awaitable<void> settle_moved(pg::Pool& database) { co_await database.write(pg::Batch(sql::settle)); }

awaitable<std::vector<Suspect>> held(pg::Pool& database) {
  const auto results = co_await database.slow(pg::Batch(sql::held));
  co_return results.rows<Suspect>();
}

awaitable<bool> release(pg::Pool& database, model::Uuid organization, model::Uuid campaign, std::int32_t doubtful,
                        bool resumes) {
  auto transaction = co_await database.begin();
  const auto released = co_await transaction.run(pg::Batch(sql::release, organization, campaign, doubtful, kReleased));
  const auto ahead = released.optional<bool>();
  if (!ahead) co_return false;
  events::Changes changes;
  if (resumes)
    co_await campaigns::move(transaction, organization, campaign, CampaignStatus::Paused,
                             *ahead ? CampaignStatus::Scheduled : CampaignStatus::Running, "", changes);
  pg::Batch last;
  if (!changes.empty()) last.add(events::outbox::append, changes.json());
  co_await transaction.commit(std::move(last));
  co_return true;
}

awaitable<Released> release_all(pg::Pool& database, std::int32_t doubtful, bool resumes) {
  Released out;
  const auto campaigns = co_await held(database);
  for (const auto& campaign : campaigns) {
    const bool goes_on = resumes && campaign.status != CampaignStatus::Paused;
    if (!co_await release(database, campaign.organizationId, campaign.id, doubtful, goes_on)) continue;
    ++out.all;
    out.resumed += goes_on;
  }
  co_return out;
}

}  // namespace parley::conversations::restore_holds
