#include "conversations/campaigns/figures/store.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "conversations/campaigns/figures/reasons.hpp"
#include "conversations/campaigns/figures/sql.hpp"
#include "conversations/campaigns/progress.hpp"
#include "conversations/campaigns/rendering/message.hpp"

namespace parley::conversations::figures {

using model::CampaignStatus;

namespace {

constexpr std::int64_t kDays = 31;  // of which hours are told

struct CampaignRow {
  CampaignStatus status = CampaignStatus::Draft;
  model::RawJson variants;
  bool audience_done = false, has_experiment = false;
};
BOOST_DESCRIBE_STRUCT(CampaignRow, (), (status, variants, audience_done, has_experiment))

struct FigureRow {
  std::int64_t variant = 0;
  std::string what, reason;
  std::int64_t n = 0;
};
BOOST_DESCRIBE_STRUCT(FigureRow, (), (variant, what, reason, n))

struct Tally : campaigns::Standing {
  std::int64_t replied = 0, clicked = 0;
};

void add(Tally& tally, const FigureRow& row) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t Tally::*>, 11> places{
      {{"Targets", &Tally::targets},
       {"Skipped", &Tally::skipped},
       {"Queued", &Tally::queued},
       {"Sent", &Tally::sent},
       {"Delivered", &Tally::delivered},
       {"Read", &Tally::read},
       {"Failed", &Tally::failed},
       {"UnDelivered", &Tally::undelivered},
       {"InDoubt", &Tally::in_doubt},
       {"Replied", &Tally::replied},
       {"Clicked", &Tally::clicked}}};
  for (const auto& [what, figure] : places)
    if (what == row.what) tally.*figure += row.n;
}

// Tallies lack what was made before there were any: no figure is negative for that.
void show(States& out, const Tally& tally, const CampaignRow& campaign) {
  const auto progress = campaigns::progress_of(tally, campaign.status, campaign.audience_done);
  const auto figure = [](std::int64_t n) { return std::max<std::int64_t>(n, 0); };
  out.recipients = figure(progress.recipients);
  out.skipped = figure(progress.skipped);
  out.pending = figure(progress.pending);
  out.sent = figure(progress.sent);
  out.delivered = figure(progress.delivered);
  out.read = figure(progress.read);
  out.failed = figure(progress.failed);
  out.undelivered = figure(progress.undelivered.value_or(0));
  out.inDoubt = figure(progress.inDoubt);
  out.replied = figure(tally.replied);
  out.clicked = figure(tally.clicked);
}

std::vector<ReasonFigures> reasons_of(const std::vector<FigureRow>& rows, const States& total, const Tally& all) {
  using enum recipients::State;
  std::map<std::pair<recipients::State, std::string>, std::int64_t> sums;
  for (const auto& row : rows) {
    recipients::State state{};
    if (row.reason.empty() || !boost::describe::enum_from_string(row.what.c_str(), state)) continue;
    sums[{state, row.reason}] += row.n;
  }
  // Whom a Cancelled campaign has not come to; see progress_of().
  if (total.skipped > all.skipped) sums[{Skipped, "Cancelled"}] = total.skipped - all.skipped;
  std::vector<ReasonFigures> out;
  for (const auto& [key, n] : sums)
    if (n > 0) out.push_back({key.first, key.second, words_of(key.second), n});
  std::ranges::sort(out, {}, [](const ReasonFigures& each) { return std::tuple(-each.recipients, each.reason); });
  return out;
}

Figures figures_of(const CampaignRow& campaign, const std::vector<FigureRow>& rows) {
  const auto variants = rendering::read_variants(campaign.variants);
  std::vector<Tally> tallies(variants.size() + 1);
  Tally all, rest;
  for (const auto& row : rows) {
    add(all, row);
    if (row.variant < 0) add(rest, row);
    if (row.variant >= 0 && row.variant < std::ssize(tallies)) add(tallies[static_cast<std::size_t>(row.variant)], row);
  }
  Figures out;
  show(out.total, all, campaign);
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    auto& variant = out.byVariant.emplace_back();
    variant.variant = static_cast<std::int64_t>(i);
    if (i > 0) variant.name = variants[i - 1].name;
    show(variant, tallies[i], campaign);
  }
  if (campaign.has_experiment) show(out.remainder.emplace(), rest, campaign);
  out.byReason = reasons_of(rows, out.total, all);
  return out;
}

}  // namespace

awaitable<std::optional<Figures>> Store::find(model::Uuid organization, model::Uuid campaign) {
  pg::Batch batch(sql::campaign, organization, campaign);
  batch.add(sql::figures, organization, campaign);
  batch.add(sql::hours, organization, campaign, kDays);
  const auto results = co_await database_.read_anywhere(std::move(batch));
  const auto row = results.optional<CampaignRow>(0);
  if (!row) co_return std::nullopt;
  auto out = figures_of(*row, results.rows<FigureRow>(1));
  out.byHour = results.rows<HourFigures>(2);
  co_return out;
}

}  // namespace parley::conversations::figures
