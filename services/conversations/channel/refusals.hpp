#pragma once
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <string>

#include "common/channel/errors.hpp"

namespace parley::conversations::channel {

// What to do after the channel refused a message.
enum class Reaction {
  slow_number,           // all that the number sends comes too fast: less, and this again later
  slow_recipient,        // only what it sends to this recipient does: this again, after 4^X seconds
  retry,                 // out of order over there: again, a bounded number of times
  wait_for_maintenance,  // the number is being moved: again in minutes
  give_up,               // this message will never be taken
  opted_out,             // nor any other from a campaign: the recipient asked for that
  fail_campaign,         // nor any other of this campaign: its template or parameters are wrong
  pause_campaign,        // nor any other of this campaign until somebody looked at it
  stop_account           // nor anything of this account: its token, permissions, payment ...
};
BOOST_DESCRIBE_ENUM(Reaction, slow_number, slow_recipient, retry, wait_for_maintenance, give_up, opted_out,
                    fail_campaign, pause_campaign, stop_account)

struct Refusal {
  std::int64_t code = 0;
  std::string text;  // for people, at most 500 octets; may say what is wrong with the message, never who got it
  Reaction reaction = Reaction::give_up;
};

// To an error that is a refusal.
Reaction reaction_to(const cloud_api::Error& error);

}  // namespace parley::conversations::channel
