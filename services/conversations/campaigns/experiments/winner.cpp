#include "conversations/campaigns/experiments/winner.hpp"

namespace parley::conversations::experiments {

namespace {

std::int64_t hits_of(Rule rule, const Result& result) {
  switch (rule) {
    case Rule::Replied:
      return result.replied;
    case Rule::Clicked:
      return result.clicked;
    case Rule::Read:
      return result.read;
    case Rule::Delivered:
      return result.delivered;
  }
  return 0;
}

}  // namespace

std::int64_t winner_of(const Plan& plan, std::span<const Result> results) {
  Result best;
  for (const auto& result : results) {
    if (result.accepted <= 0) continue;
    // The rates, multiplied by both counts; the first of equal ones stays, whatever the order of `results`.
    const auto mine = hits_of(plan.rule, result) * best.accepted, its = hits_of(plan.rule, best) * result.accepted;
    if (best.accepted == 0 || mine > its || (mine == its && result.variant < best.variant)) best = result;
  }
  return hits_of(plan.rule, best) < plan.minimum ? 0 : best.variant;
}

}  // namespace parley::conversations::experiments
