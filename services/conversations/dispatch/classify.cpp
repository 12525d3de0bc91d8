#include "conversations/dispatch/classify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::conversations::dispatch {

using channel::Reaction;
using What = Result::What;

namespace {

constexpr std::int64_t kMaxAttempts = 10;                                                   // refused attempts
constexpr double kSlowNumber = 1'000, kUnreachable = 1'000, kRetry = 1'000, kPair = 1'000;  // milliseconds, first delay
constexpr double kMaxRetry = 300'000, kMaxPair = 4'096'000;

Result result_of(const Item& item, const model::Uuid& claim, What what) {
  Result out;
  out.what = what;
  out.kind = item.kind;
  out.message_id = item.message_id;
  out.contact_id = item.contact_id;
  out.claim = claim;
  out.first = item.chunk != nullptr;
  if (out.first) out.recipient = item.recipient;
  out.chunk = item.chunk;
  return out;
}

void try_again(Result& result, double delay, bool counted) {
  result.what = What::again;
  result.delay = static_cast<std::int64_t>(delay);
  result.counted = counted;
}

void judge_refusal(Result& result, const Item& item, Reaction reaction, double chance) {
  const bool last = item.attempt >= kMaxAttempts;
  const auto before = static_cast<double>(item.attempt - 1);  // earlier attempts
  switch (reaction) {
    case Reaction::slow_number:
      return try_again(result, kSlowNumber * (1 + chance), false);
    case Reaction::slow_recipient:
      if (last) break;
      return try_again(result, std::min(kPair * std::pow(4, before), kMaxPair), true);
    case Reaction::retry:
      if (last) break;
      return try_again(result, std::min(kRetry * std::pow(2, before), kMaxRetry) * (1 + chance), true);
    case Reaction::wait_for_maintenance:
    case Reaction::stop_account:
      return try_again(result, 0, false);  // without delay: the whole number is stopped
    case Reaction::opted_out:
      result.what = What::opted_out;
      return;
    case Reaction::pause_campaign:
      if (last || !item.campaign_id) break;
      return try_again(result, 0, true);  // without delay: the campaign is paused until a person resumes it
    case Reaction::give_up:
    case Reaction::fail_campaign:
      break;
  }
  result.what = What::failed;
}

}  // namespace

Result put_back(const Item& item, const model::Uuid& claim, std::int64_t delay) {
  auto out = result_of(item, claim, What::again);
  out.delay = delay;
  return out;
}

Result leave_in_doubt(const Item& item, const model::Uuid& claim) { return result_of(item, claim, What::in_doubt); }

Result give_up(const Item& item, const model::Uuid& claim, std::string why) {
  auto out = result_of(item, claim, What::failed);
  out.text = std::move(why);
  return out;
}

Result classify(const Item& item, const model::Uuid& claim, const channel::Outcome& outcome, double chance) {
  using OutcomeKind = channel::Outcome::Kind;
  auto out = result_of(item, claim, What::in_doubt);
  switch (outcome.kind) {
    case OutcomeKind::accepted:
      out.what = What::sent;
      out.channel_message_id = outcome.channel_message_id;
      break;
    case OutcomeKind::not_sent:
      try_again(out, kUnreachable * (1 + chance), false);
      break;
    case OutcomeKind::in_doubt:
      if (item.kind == Kind::Receipt) judge_refusal(out, item, Reaction::retry, chance);  // a receipt may be sent twice
      break;
    case OutcomeKind::refused:
      out.code = std::clamp<std::int64_t>(outcome.refusal.code, std::numeric_limits<std::int32_t>::min(),
                                          std::numeric_limits<std::int32_t>::max());
      out.text = outcome.refusal.text;
      judge_refusal(out, item, outcome.refusal.reaction, chance);
      break;
  }
  return out;
}

}  // namespace parley::conversations::dispatch
