#include "conversations/campaigns/audience/store.hpp"

#include "conversations/campaigns/audience/sql.hpp"
#include "conversations/campaigns/status.hpp"
#include "conversations/messages/engagement/campaign_counters.hpp"

namespace parley::conversations::audience {

namespace {
constexpr std::int64_t kMaxDuplicates = 1'000;
}  // namespace

awaitable<std::optional<Gathering>> Store::take() {
  const auto results = co_await database_.write(pg::Batch(sql::take, owner_, lease_.count()));
  co_return results.optional<Gathering>();
}

awaitable<bool> Store::add(Gathering& campaign, const Page& page) {
  const auto& organization = campaign.organization_id;
  const auto count = campaign.audience_count;
  auto transaction = co_await database_.begin();
  const auto moved = co_await transaction.run(pg::Batch(sql::advance, organization, campaign.id, owner_, lease_.count(),
                                                        campaign.audience_after, count, page.reached(), page.size()));
  if (moved.affected() != 1) co_return false;
  co_await forget_reason(transaction, campaign);
  engagement::CampaignCounters counters(organization);
  counters.targets(campaign.id, page.size());
  counters.skipped(campaign.id, page.skips());
  pg::Batch batch(sql::add, organization, campaign.id, count, page.contact_ids, page.recipients, page.variants,
                  page.message_ids, page.parameters, page.skipped);
  counters.add_to(batch);
  co_await transaction.commit(std::move(batch));
  campaign.audience_after = page.reached();
  campaign.audience_count = count + page.size();
  co_return true;
}

awaitable<bool> Store::skip_duplicates(const Gathering& campaign) {
  const auto found =
      co_await database_.slow(pg::Batch(sql::duplicates, campaign.organization_id, campaign.id, kMaxDuplicates));
  const auto ordinals = found.rows<std::int64_t>();
  if (ordinals.empty()) co_return false;
  auto transaction = co_await database_.begin();
  const auto skipped =
      co_await transaction.run(pg::Batch(sql::skip_duplicates, campaign.organization_id, campaign.id, ordinals));
  engagement::CampaignCounters counters(campaign.organization_id);
  counters.skipped(campaign.id, static_cast<std::int64_t>(skipped.affected()));
  pg::Batch counts;
  counters.add_to(counts);
  if (!counts.empty()) co_await transaction.run(std::move(counts));
  co_await transaction.commit();
  co_return true;
}

awaitable<bool> Store::finish(Gathering& campaign) {
  auto transaction = co_await database_.begin();
  const auto finished =
      co_await transaction.run(pg::Batch(sql::finish, campaign.organization_id, campaign.id, campaign.audience_after,
                                         campaign.audience_count, kTargetsOfChunk));
  if (finished.row_count() != 1) co_return false;
  co_await forget_reason(transaction, campaign);
  co_await transaction.commit();
  co_return true;
}

awaitable<void> Store::give_back(Gathering campaign, std::chrono::milliseconds pause, std::string_view reason) {
  auto transaction = co_await database_.begin();
  co_await transaction.run(pg::Batch(sql::give_back, campaign.organization_id, campaign.id, owner_, pause.count()));
  if (!reason.empty())
    co_await campaigns::set_reason(transaction, campaign.organization_id, campaign.id, std::string(reason));
  co_await transaction.commit();
}

// Clears only the reasons set here: other code sets reasons too.
awaitable<void> Store::forget_reason(pg::Transaction& transaction, Gathering& campaign) {
  const auto reason = std::exchange(campaign.status_reason, "");
  if (reason == kContactsAway || reason == kTrouble)
    co_await campaigns::set_reason(transaction, campaign.organization_id, campaign.id, "");
}

}  // namespace parley::conversations::audience
