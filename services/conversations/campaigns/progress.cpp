#include "conversations/campaigns/progress.hpp"

#include <algorithm>
#include <cmath>

namespace parley::conversations::campaigns {

using model::CampaignStatus;

model::CampaignProgress progress_of(const Standing& standing, CampaignStatus status, bool audience_done) {
  const auto untouched = standing.untouched();
  model::CampaignProgress out{.recipients = standing.targets,
                              .skipped = standing.skipped,
                              .pending = untouched + standing.queued - standing.in_doubt,
                              .sent = standing.sent,
                              .delivered = standing.delivered,
                              .read = standing.read,
                              .failed = standing.failed,
                              .undelivered = standing.undelivered,
                              .inDoubt = standing.in_doubt,
                              .secondsLeft = {}};
  if (status == CampaignStatus::Cancelled) {
    out.skipped += untouched;
    out.pending -= untouched;
  }
  if (status != CampaignStatus::Running) return out;
  out.rate = std::round(std::max(standing.rate, 0.0) * 10) / 10;
  if (audience_done && (out.rate > 0 || out.pending == 0))
    out.secondsLeft = out.pending == 0 ? 0 : std::llround(std::ceil(static_cast<double>(out.pending) / out.rate));
  return out;
}

}  // namespace parley::conversations::campaigns
