#include "conversations/campaigns/recipients/store.hpp"

#include <algorithm>

#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "conversations/campaigns/recipients/sql.hpp"
#include "conversations/campaigns/rendering/message.hpp"
#include "conversations/campaigns/rows.hpp"
#include "conversations/campaigns/sql.hpp"

namespace parley::conversations::recipients {

using model::CampaignStatus;

namespace {

constexpr std::int64_t kStep = 2'000;  // recipients per step of an export

struct CampaignRow {
  model::Uuid uniqueId;
  CampaignStatus status = CampaignStatus::Draft;
  model::RawJson variants;
  std::int64_t audience_count = 0;
  bool audience_done = false;
};
BOOST_DESCRIBE_STRUCT(CampaignRow, (), (uniqueId, status, variants, audience_count, audience_done))

struct RecipientRow {
  std::int64_t ordinal = 0;
  model::Uuid contactId;
  std::string phone;
  std::int64_t variant = 0;
  State state = State::Pending;
  std::optional<std::string> reason, reasonText;
  std::optional<model::Uuid> messageId, conversationId;
  std::optional<model::Timestamp> sentAt, statusAt, repliedAt, clickedAt;
};
BOOST_DESCRIBE_STRUCT(RecipientRow, (),
                      (ordinal, contactId, phone, variant, state, reason, reasonText, messageId, conversationId, sentAt,
                       statusAt, repliedAt, clickedAt))

std::vector<std::string> names_of(const model::RawJson& json) {
  std::vector<std::string> names;
  for (auto& variant : rendering::read_variants(json)) names.push_back(std::move(variant.name));
  return names;
}

std::vector<Recipient> recipients_of(const Campaign& campaign, std::vector<RecipientRow> rows) {
  std::vector<Recipient> out;
  for (auto& row : rows) {
    std::optional<std::string> variant;
    if (row.variant > 0) variant = campaign.variants.at(static_cast<std::size_t>(row.variant) - 1);
    out.push_back({row.contactId, std::move(row.phone), std::move(variant), row.state, std::move(row.reason),
                   std::move(row.reasonText), row.messageId, row.conversationId, row.sentAt, row.statusAt,
                   row.repliedAt, row.clickedAt});
  }
  return out;
}

// The filters as arguments of the statements.
class Matching {
 public:
  Matching(const Campaign& campaign, const Filter& filter)
      : campaign_(campaign), state_(filter.state), reason_(filter.reason) {
    if (!filter.variant) return;
    const auto found = std::ranges::find(campaign.variants, *filter.variant);
    if (found == campaign.variants.end() && !filter.variant->empty())
      throw http::Problem({.status = 400,
                           .detail = "the campaign has no variant of this name",
                           .errors = {{"?variant", "is none of the campaign's variants"}}});
    variant_ = filter.variant->empty() ? 0 : 1 + (found - campaign.variants.begin());
  }

  bool all() const { return !variant_ && !state_ && !reason_; }
  bool is_figured() const { return !variant_ && !reason_; }  // the campaign's figures have the total

  void add_page(pg::Batch& batch, std::int64_t after, std::int64_t until, std::int64_t skip, std::int64_t most) const {
    batch.add(of_these(sql::page), campaign_.organization, campaign_.id, after, until, variant_, state_, reason_, skip,
              most);
  }
  void add_count(pg::Batch& batch, std::int64_t after, std::int64_t until) const {
    batch.add(of_these(sql::count), campaign_.organization, campaign_.id, after, until, variant_, state_, reason_);
  }

 private:
  template <class Parts>
  const pg::Statement& of_these(const pg::Variants<Parts>& statement) const {
    const bool cancelled = campaign_.status == CampaignStatus::Cancelled;
    return statement[{.by_reason = reason_.has_value(),
                      .by_state = state_.has_value(),
                      .by_variant = variant_.has_value(),
                      .cancelled = cancelled,
                      .in_doubt = state_ == State::InDoubt,
                      .skipped = state_ == State::Skipped && !cancelled}];
  }

  const Campaign& campaign_;
  std::optional<std::int64_t> variant_;
  std::optional<State> state_;
  std::optional<std::string> reason_;
};

std::int64_t figure_of(const model::CampaignProgress& progress, std::optional<State> state) {
  if (!state) return progress.recipients;
  switch (*state) {
    case State::Pending:
      return progress.pending;
    case State::Skipped:
      return progress.skipped;
    case State::Sent:
      return progress.sent;
    case State::Delivered:
      return progress.delivered;
    case State::Read:
      return progress.read;
    case State::Failed:
      return progress.failed;
    case State::InDoubt:
      return progress.inDoubt;
  }
  return 0;
}

}  // namespace

awaitable<std::optional<Campaign>> Store::find(model::Uuid organization, model::Uuid id) {
  pg::Batch batch(sql::campaign, organization, id);
  batch.add(campaigns::sql::standing, organization, std::vector<model::Uuid>{id});
  const auto results = co_await database_.read(std::move(batch));
  const auto row = results.optional<CampaignRow>(0);
  if (!row) co_return std::nullopt;
  const auto standing = results.one<campaigns::StandingRow>(1);
  co_return Campaign{organization,        id,
                     row->status,         campaigns::progress_of(standing, row->status, row->audience_done),
                     row->audience_count, names_of(row->variants)};
}

awaitable<Page> Store::list(const Campaign& campaign, const Filter& filter) {
  const Matching matching(campaign, filter);
  auto [after, skip, total] = filter.place;
  Page page;
  if (matching.is_figured()) {
    page.total = figure_of(campaign.progress, filter.state);
    if (page.total == 0) co_return page;  // nothing to search for
  }
  if (matching.all()) after += std::exchange(skip, 0);  // without filters each ordinal matches
  after = std::min(after, campaign.last);
  const auto until = std::min(campaign.last, after + max_looked_at_);
  const bool goes_on = until < campaign.last;

  pg::Batch batch(sql::by_index);
  matching.add_page(batch, after, until, skip, filter.paging.per_page);
  if (goes_on && skip > 0) matching.add_count(batch, after, until);
  const auto last = batch.size();
  if (!matching.is_figured() && !total) matching.add_count(batch, 0, std::min(campaign.last, max_looked_at_));
  auto asked = matching.all() ? database_.read_anywhere(std::move(batch)) : database_.slow_anywhere(std::move(batch));
  const auto results = co_await std::move(asked);

  if (results.size() > last) total = results.one<std::int64_t>(last);
  auto rows = results.rows<RecipientRow>(1);
  if (std::ssize(rows) == filter.paging.per_page)
    page.next = PageCursor{rows.back().ordinal, 0, total};
  else if (goes_on)
    page.next = PageCursor{until, skip > 0 ? std::max<std::int64_t>(0, skip - results.one<std::int64_t>(2)) : 0, total};
  if (total) page.total = *total;
  page.recipients = recipients_of(campaign, std::move(rows));
  co_return page;
}

awaitable<void> Store::emit(model::RawJson changes) {
  co_await database_.write(pg::Batch(events::outbox::append, changes));
}

awaitable<Step> Store::step(const Campaign& campaign, const Filter& filter, std::int64_t after) {
  const auto until = std::min(campaign.last, after + kStep);
  pg::Batch batch(sql::by_index);
  Matching(campaign, filter).add_page(batch, after, until, 0, kStep);
  const auto results = co_await database_.slow_anywhere(std::move(batch));
  co_return Step{recipients_of(campaign, results.rows<RecipientRow>(1)), until};
}

}  // namespace parley::conversations::recipients
