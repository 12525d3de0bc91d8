#include "conversations/channel/refusals.hpp"

#include <algorithm>
#include <array>

namespace parley::conversations::channel {

namespace {

struct Class {
  std::int64_t first, last;  // codes
  Reaction reaction;
};

using enum Reaction;

// The error codes of the Cloud API, in order.
constexpr std::array kClasses{
    Class{0, 0, stop_account},              // the token cannot be told whose it is
    Class{1, 2, retry},                     // unknown error, out of service
    Class{3, 3, stop_account},              // no permission for this method
    Class{4, 4, slow_number},               // the application's rate
    Class{10, 10, stop_account},            // permission taken back
    Class{100, 100, give_up},               // invalid parameter
    Class{190, 190, stop_account},          // token expired or revoked
    Class{200, 299, stop_account},          // permissions
    Class{368, 368, stop_account},          // blocked for violating policies
    Class{613, 613, slow_number},           // rate of the graph
    Class{80007, 80007, slow_number},       // rate of the business account
    Class{130429, 130429, slow_number},     // throughput of the number
    Class{130472, 130472, give_up},         // the recipient is part of an experiment
    Class{130497, 130497, stop_account},    // may not write to this country
    Class{131000, 131000, retry},           // something went wrong
    Class{131005, 131005, stop_account},    // access denied
    Class{131008, 131009, give_up},         // a parameter is missing, or has a bad value
    Class{131016, 131016, retry},           // out of service
    Class{131021, 131021, give_up},         // recipient and sender are the same
    Class{131026, 131026, give_up},         // undeliverable: not on the channel, blocked, old application
    Class{131030, 131030, give_up},         // not among the recipients that a test number may write to
    Class{131031, 131031, stop_account},    // account locked
    Class{131037, 131037, stop_account},    // display name not approved
    Class{131042, 131042, stop_account},    // payment
    Class{131044, 131045, stop_account},    // payment; certificate of the number
    Class{131047, 131047, give_up},         // more than 24 hours since the recipient's last message
    Class{131048, 131048, pause_campaign},  // too much of the number's was taken for spam
    Class{131049, 131049, give_up},         // the recipient got enough marketing for today
    Class{131050, 131050, opted_out},       // the recipient stopped marketing
    Class{131051, 131052, give_up},         // unsupported type; the recipient's media cannot be had
    Class{131053, 131053, retry},           // media could not be had from its link
    Class{131056, 131056, slow_recipient},  // rate between this number and this recipient
    Class{131057, 131057, wait_for_maintenance},
    Class{131062, 131063, give_up},         // needs a phone number; marketing is switched off
    Class{131064, 131064, pause_campaign},  // fewer messages for having violated the templates' policies
    Class{132000, 132001, fail_campaign},   // count of parameters; no such template in this language
    Class{132005, 132005, fail_campaign},   // too long with its parameters
    Class{132007, 132008, fail_campaign},   // policy; format of a parameter
    Class{132012, 132012, fail_campaign},   // format of a parameter
    Class{132015, 132016, pause_campaign},  // template paused; disabled
    Class{132068, 132069, pause_campaign},  // flow blocked; throttled
    Class{133016, 133016, give_up},         // registered too often: longer than any message waits
    Class{135000, 135000, retry},           // unknown error with the parameters
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kClasses.size(); ++i)
    if (kClasses[i].first > kClasses[i].last || (i > 0 && kClasses[i - 1].last >= kClasses[i].first)) return false;
  return true;
}
static_assert(is_in_order());

}  // namespace

Reaction reaction_to(std::int64_t code, unsigned http_status) {
  const auto* const found = std::lower_bound(kClasses.begin(), kClasses.end(), code,
                                             [](const Class& c, std::int64_t v) { return c.last < v; });
  if (found != kClasses.end() && found->first <= code) return found->reaction;
  if (http_status == 429) return slow_number;
  return http_status >= 500 ? retry : give_up;
}

}  // namespace parley::conversations::channel
