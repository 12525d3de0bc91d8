#include "conversations/campaigns/recipients/store.hpp"

#include <algorithm>
#include <charconv>

#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "conversations/campaigns/recipients/sql.hpp"
#include "conversations/campaigns/rendering/message.hpp"
#include "conversations/campaigns/rows.hpp"
#include "conversations/campaigns/sql.hpp"

namespace parley::conversations::recipients {

using model::CampaignStatus;

namespace {

constexpr std::int64_t kStep = 2'000;    // recipients per step of an export
constexpr std::int64_t kMaxFew = 2'000;  // messages whose recipients are looked up for a page

struct CampaignRow {
  model::Uuid uniqueId;
  CampaignStatus status = CampaignStatus::Draft;
  model::RawJson variants;
  std::int64_t audience_count = 0;
  bool audience_done = false;
  std::int64_t first_unsent = 1;
  bool has_retries = false;
};
BOOST_DESCRIBE_STRUCT(CampaignRow, (),
                      (uniqueId, status, variants, audience_count, audience_done, first_unsent, has_retries))

struct RecipientRow {
  std::int64_t ordinal = 0;
  model::Uuid contactId;
  std::string phone;
  std::optional<std::int64_t> variant;  // nullopt: of the rest of an experiment that is undecided
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
    if (row.variant.value_or(0) > 0) variant = campaign.variants.at(static_cast<std::size_t>(*row.variant) - 1);
    out.push_back({row.contactId, std::move(row.phone), std::move(variant), row.state, std::move(row.reason),
                   std::move(row.reasonText), row.messageId, row.conversationId, row.sentAt, row.statusAt,
                   row.repliedAt, row.clickedAt});
  }
  return out;
}

// What makes a recipient have a reason.
enum class Origin { none, skipped, cancelled, failed };

Origin origin_of(const std::string& reason, const std::optional<std::int64_t>& code, bool cancelled) {
  static constexpr std::string_view kSkipped[] = {"OptedOut",  "Blocked",      "Inactive", "Invalid",
                                                  "Duplicate", "MissingValue", "Deleted"};
  if (std::ranges::find(kSkipped, reason) != std::end(kSkipped)) return Origin::skipped;
  if (reason == "Cancelled") return cancelled ? Origin::cancelled : Origin::none;
  return code || reason == "unknown" || reason == "NotSent" ? Origin::failed : Origin::none;
}

// The channel's code that a reason is written as, if it is one.
std::optional<std::int64_t> code_of(const std::string& reason) {
  std::int32_t code = 0;
  std::from_chars(reason.data(), reason.data() + reason.size(), code);
  return std::to_string(code) == reason ? std::optional<std::int64_t>(code) : std::nullopt;
}

bool is_failure(State state) { return state == State::Failed || state == State::UnDelivered; }

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
    case State::UnDelivered:
      return progress.undelivered.value_or(0);
    case State::InDoubt:
      return progress.inDoubt;
  }
  return 0;
}

// The filters as arguments of the statements.
class Matching {
 public:
  Matching(const Campaign& campaign, const Filter& filter)
      : campaign_(campaign),
        cancelled_(campaign.status == CampaignStatus::Cancelled),
        state_(filter.state),
        reason_(filter.reason) {
    if (reason_) code_ = code_of(*reason_);
    if (reason_) origin_ = origin_of(*reason_, code_, cancelled_);
    const bool has_index = state_ && (is_failure(*state_) || state_ == State::InDoubt);
    if (!reason_ && has_index) note_messages(figure_of(campaign.progress, state_));
    if (!filter.variant) return;
    const auto found = std::ranges::find(campaign.variants, *filter.variant);
    if (found == campaign.variants.end() && !filter.variant->empty())
      throw http::Problem({.status = 400,
                           .detail = "the campaign has no variant of this name",
                           .errors = {{"?variant", "is none of the campaign's variants"}}});
    variant_ = filter.variant->empty() ? 0 : 1 + (found - campaign.variants.begin());
  }

  bool all() const { return !variant_ && !state_ && !reason_; }
  // Whether no recipient can match.
  bool none() const {
    if (!reason_) return false;
    if (origin_ == Origin::none) return true;
    return state_ && (origin_ == Origin::failed ? !is_failure(*state_) : state_ != State::Skipped);
  }
  // Whether an index has all that match.
  bool is_indexed() const { return is_skipped() || has_few_; }
  // Whether note_messages() is to be told how many failed for the reason: add_failures() counts them.
  bool is_of_failures() const { return origin_ == Origin::failed; }
  void add_failures(pg::Batch& batch) const {
    batch.add(sql::count_failed, campaign_.organization, campaign_.id, reason_, code_, state_);
  }
  // Only recipients of so many messages can match. If these are few among many, they are found by the messages.
  void note_messages(std::int64_t count) { has_few_ = count <= kMaxFew && count * 100 <= campaign_.last; }
  // Recipients up to this ordinal do not match.
  std::int64_t begin() const {
    const bool is_waiting = state_ == State::Pending && !cancelled_ && !campaign_.has_retries;
    return is_waiting || origin_ == Origin::cancelled ? campaign_.first_unsent - 1 : 0;
  }
  // The total, if the campaign's figures have it.
  std::optional<std::int64_t> figure() const {
    if (variant_) return std::nullopt;
    if (origin_ == Origin::cancelled) return campaign_.untouched;
    return reason_ ? std::nullopt : std::optional(figure_of(campaign_.progress, state_));
  }

  void add_page(pg::Batch& batch, std::int64_t after, std::int64_t until, std::int64_t skip, std::int64_t most) const {
    batch.add(of_these(sql::page), campaign_.organization, campaign_.id, after, until, variant_, state_, reason_, code_,
              skip, most);
  }
  void add_count(pg::Batch& batch, std::int64_t after, std::int64_t until) const {
    batch.add(of_these(sql::count), campaign_.organization, campaign_.id, after, until, variant_, state_, reason_,
              code_);
  }
  // The total; where no index counts those that match, of the recipients up to `until`.
  void add_total(pg::Batch& batch, std::int64_t until) const {
    if (origin_ == Origin::skipped)
      batch.add(sql::count_skipped, campaign_.organization, campaign_.id, reason_, variant_);
    else if (variant_ && !state_ && !reason_)
      batch.add(sql::count_variant, campaign_.organization, campaign_.id, variant_);
    else
      add_count(batch, 0, is_indexed() ? campaign_.last : until);
  }

 private:
  template <class Parts>
  const pg::Statement& of_these(const pg::Variants<Parts>& statement) const {
    return statement[{.by_reason = reason_.has_value(),
                      .by_state = state_ && origin_ != Origin::skipped,
                      .cancelled = cancelled_,
                      .few = has_few_,
                      .in_doubt = state_ == State::InDoubt,
                      .skipped = is_skipped()}];
  }
  bool is_skipped() const { return origin_ == Origin::skipped || (state_ == State::Skipped && !cancelled_); }

  const Campaign& campaign_;
  bool cancelled_;
  std::optional<std::int64_t> variant_;
  std::optional<State> state_;
  std::optional<std::string> reason_;
  std::optional<std::int64_t> code_;
  Origin origin_ = Origin::none;
  bool has_few_ = false;
};

awaitable<std::int64_t> count_failures(pg::Pool& database, const Matching& matching) {
  pg::Batch batch(sql::by_index);
  matching.add_failures(batch);
  const auto results = co_await database.slow_anywhere(std::move(batch));
  co_return results.one<std::int64_t>(1);
}

}  // namespace

awaitable<std::optional<Campaign>> Store::find(model::Uuid organization, model::Uuid id) {
  pg::Batch batch(sql::campaign, organization, id);
  batch.add(campaigns::sql::standing, organization, std::vector<model::Uuid>{id});
  const auto results = co_await database_.read(std::move(batch));
  const auto row = results.optional<CampaignRow>(0);
  if (!row) co_return std::nullopt;
  const auto standing = results.one<campaigns::StandingRow>(1);
  co_return Campaign{.organization = organization,
                     .id = id,
                     .status = row->status,
                     .progress = campaigns::progress_of(standing, row->status, row->audience_done),
                     .last = row->audience_count,
                     .first_unsent = row->first_unsent,
                     .untouched = standing.untouched(),
                     .has_retries = row->has_retries,
                     .variants = names_of(row->variants)};
}

awaitable<Page> Store::list(const Campaign& campaign, const Filter& filter) {
  Matching matching(campaign, filter);
  auto [after, skip, total] = filter.place;
  Page page;
  const auto figure = matching.none() ? std::optional<std::int64_t>(0) : matching.figure();
  page.total = figure.value_or(0);
  if (figure == 0) co_return page;                      // nothing to search for
  if (matching.all()) after += std::exchange(skip, 0);  // without filters each ordinal matches
  if (matching.is_of_failures()) {
    const auto failures = filter.variant || !total ? co_await count_failures(database_, matching) : *total;
    matching.note_messages(failures);
    if (!filter.variant) total = failures;
  }
  after = std::min(std::max(after, matching.begin()), campaign.last);
  const auto until = matching.is_indexed() ? campaign.last : std::min(campaign.last, after + max_looked_at_);
  const bool goes_on = until < campaign.last;

  pg::Batch batch(sql::by_index);
  matching.add_page(batch, after, until, skip, filter.paging.per_page);
  if (goes_on && skip > 0) matching.add_count(batch, after, until);
  const auto last = batch.size();
  if (!figure && !total) matching.add_total(batch, std::min(campaign.last, max_looked_at_));
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
  const Matching matching(campaign, filter);
  if (matching.none()) co_return Step{{}, campaign.last};
  pg::Batch batch(sql::by_index);
  matching.add_page(batch, after, until, 0, kStep);
  const auto results = co_await database_.slow_anywhere(std::move(batch));
  co_return Step{recipients_of(campaign, results.rows<RecipientRow>(1)), until};
}

}  // namespace parley::conversations::recipients
