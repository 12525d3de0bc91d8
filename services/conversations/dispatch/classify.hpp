#pragma once
#include "conversations/channel/client.hpp"
#include "conversations/dispatch/shapes.hpp"

namespace parley::conversations::dispatch {

// Decides the outcome of an attempt by the channel's answer. `chance` in [0, 1) is jitter for retry delays.
Result classify(const Item& item, const model::Uuid& claim, const channel::Outcome& outcome, double chance);

// A message that was surely not sent, through no fault of its own: due again after `delay` milliseconds.
Result put_back(const Item& item, const model::Uuid& claim, std::int64_t delay);
// A message that an unknown process may have sent, but not under this claim.
Result leave_in_doubt(const Item& item, const model::Uuid& claim);
// A message that is never to be sent, for a reason of ours.
Result give_up(const Item& item, const model::Uuid& claim, std::string why);

}  // namespace parley::conversations::dispatch
