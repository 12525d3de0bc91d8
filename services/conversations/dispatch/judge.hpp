#pragma once
#include "conversations/channel/client.hpp"
#include "conversations/dispatch/shapes.hpp"

namespace parley::conversations::dispatch {

// What becomes of an attempt, by what the channel said to it. `chance` in [0, 1) spreads what is tried again, so that
// it does not come back all at once.
Result classify(const Item& item, const model::Uuid& claim, const channel::Outcome& outcome, double chance);

// Surely not sent, and nobody's fault: due again after so many milliseconds.
Result put_back(const Item& item, const model::Uuid& claim, std::int64_t delay);
// It may have been sent by somebody of whom nothing is known: not by this claim.
Result leave_in_doubt(const Item& item, const model::Uuid& claim);
// Never to be sent, for a reason of ours.
Result give_up(const Item& item, const model::Uuid& claim, std::string why);

}  // namespace parley::conversations::dispatch
