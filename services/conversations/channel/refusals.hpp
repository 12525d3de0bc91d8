#pragma once
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <string>

#include "common/channel/errors.hpp"

namespace parley::conversations::channel {

enum class Reaction {
  slow_number,           // the number exceeds its rate: slow it down, and retry later
  slow_recipient,        // messages to this recipient come too fast: retry after 4^X seconds
  retry,                 // the channel is out of order: retry a bounded number of times
  wait_for_maintenance,  // the number is being moved: retry in minutes
  give_up,               // this message will never be accepted
  opted_out,             // the recipient opted out: no campaign's message will be accepted
  fail_campaign,         // wrong template or parameters: the whole campaign will be refused
  pause_campaign,        // pause the campaign until somebody intervenes
  stop_account           // stop the account: its token, permissions, payment ... are at fault
};
BOOST_DESCRIBE_ENUM(Reaction, slow_number, slow_recipient, retry, wait_for_maintenance, give_up, opted_out,
                    fail_campaign, pause_campaign, stop_account)

struct Refusal {
  std::int64_t code = 0;
  std::string text;  // for people, at most 500 octets; may describe the message's fault, never the recipient
  Reaction reaction = Reaction::give_up;
};

// The error must be a refusal.
Reaction reaction_to(const cloud_api::Error& error);

}  // namespace parley::conversations::channel
