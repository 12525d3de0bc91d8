#pragma once
#include "common/http/body.hpp"
#include "common/http/router.hpp"
#include "tests/simulator/webhooks.hpp"

namespace parley::simulator {

using boost::asio::awaitable;

// What the channel does not have: how tests, and people with curl, look into the simulator and tell it what happens.
// Bodies are JSON, whatever Content-Type says. Phone numbers of users may have a plus and blanks. Where phoneNumberId
// or businessAccountId may be left out, those that the simulator began with are meant.
//
// What it accepted:
//
// GET /simulator/accepted?recipient=&limit=
//     -> {"total", "distinct", "doubled", "accepted":[{recipient, opaque, wamid, count, type, body}]}
//     One element for each recipient and opaque id, in the order in which they came; a message without an opaque id is
//     one of its own. A count above 1 is a message that was sent twice: `doubled` is how many such there are, `total`
//     all messages, both of all recipients. The body is null once 10,000 calls came since. limit=0: the figures only.
// DELETE /simulator/accepted: forgets them, and like DELETE /simulator/webhooks all that waits to be told.
// GET /simulator/journal
//     -> {"calls":[{method, path, query, authorization, body, status}]}: the newest 10,000 calls, oldest first. Bodies
//     are cut at 16 KiB; status 0: there was no answer.
// DELETE /simulator/journal: forgets them.
//
// What goes wrong:
//
// POST /simulator/faults
//     {"path": "/123/messages", "method"?, "recipient"?, "times"?: 1, "oneIn"?: 1, "done"?: false, "code"?: 131056,
//      "status"?: 400 | "hang" | "reset" | "lose", "error"?: {code, message, ..}, "body"?: text}
//     The path is without the version; a segment `*` is any one. The next `times` of such calls (the first of every
//     `oneIn`) are answered with the channel's error of that code, with `error`, or with `body`. "hang" is no answer
//     for a minute, "reset" the connection's end without one. "done": the call is done all the same, only its answer
//     is wrong: {"code": 2, "status": 503, "done": true} takes a message, tells its statuses, and answers 503 with an
//     error. "lose" is "reset" with "done".
// DELETE /simulator/faults: nothing fails any more.
// POST /simulator/behaviour: sets what is given, leaves the rest, and answers with all of it:
//     statuses          what becomes of a message: "all" (sent, delivered, read), "none", or a list of these and failed
//     failure           the code that failed has (131026)
//     delayMs           between a send, its statuses one after another, and the reply (50)
//     reorder           each message, status and change waits up to so many ms more, at random; true is 250 (0)
//     repeat            how often each is told (1)
//     batch             how many of those that are due go into one body at most (1)
//     early             a send is answered after what is due was told: with delayMs 0, after its statuses (false)
//     reply             the text with which users answer each message; "" is none ("")
//     rate              messages a second of a number; beyond, 130429. 0: no limit (0)
//     pairMs, pairBurst one message of a number to one user in so many ms, so many at once; beyond, 131056 (0, 45)
//     answerDelayMs     how late sends are answered (0)
//     serviceWindow     whether 131047 meets what is no template and goes to who has not written to the number for
//                       24 hours (true, but see --open-window)
//     verifyCallbacks   whether a subscription's URL must answer the challenge (false)
//     retryMs           until a webhook without a 200 is tried again; doubles, up to an hour (1000)
//     mediaSeconds      how long a file's URL is good (300)
//     messagingLimit    what all numbers say of themselves, such as TIER_2K; it is not kept to ("TIER_UNLIMITED")
//     webhookUrl        of the application; a subscription's own comes first
// GET /simulator/behaviour: what holds now.
// DELETE /simulator/behaviour: what held at the start.
//
// What happens; each is told by signed webhooks:
//
// POST /simulator/inbound
//     {"phoneNumberId"?, "from"? | "userId"?, "profileName"?, "text"? | "messages"?: [{type, ..}]}
//     -> {"messages":[{"id"}]}
//     Each message is the channel's object of it, such as {"type":"image","image":{"id":..}}; id, timestamp and from
//     are added unless given, and a known file's mime_type and sha256. `text` is short for one message of that type.
//     Who wrote can be written to for 24 hours.
// POST /simulator/statuses
//     {"messageId", "status", "phoneNumberId"?, "recipient"?, "opaque"?, "timestamp"?, "errors"?}: any word, of any
//     message; of one that was accepted the rest is known.
// POST /simulator/changes
//     {"businessAccountId"?, "phoneNumberId"?, "field", "value"}: any other change, such as account_update. The value
//     of user_preferences may be {"user", "value": "stop" | "resume"}.
// POST /simulator/templates
//     {"businessAccountId"?, "name", "language", "status"?, "category"?, "components"?, "reason"?}: makes a template or
//     changes it, and tells its status.
// POST /simulator/media: a file, of the Content-Type given -> {"id"}: for what users send.
// POST /simulator/webhook?url=: signs and posts the body as it is, once -> {"status", "body"} of the answer.
// GET /simulator/webhooks?limit=
//     -> {"pending", "delivered", "failed", "givenUp", "webhooks":[{url, status, attempt, elements, signature, body}]}
//     Messages, statuses and changes that wait, and that were told; posts without a 200; and the newest 1,000 posts,
//     oldest first. limit=0: the figures only.
// DELETE /simulator/webhooks: forgets all that waits.
//
// What there is:
//
// POST /simulator/accounts
//     {"businessAccountId", "phoneNumbers": [{"id", "displayPhoneNumber"?, "verifiedName"?,
//      "codeVerificationStatus"?}]}: makes them, or anew.
// GET /simulator/accounts: what is there, with subscriptions and PINs.
class Control {
 public:
  Control(State& state, Webhooks& webhooks);
  // Throws Problem.
  awaitable<http::Response> serve(http::Request& request);

 private:
  struct Asked {
    std::string_view query, body, content_type;
  };
  using Handler = http::Response (Control::*)(const Asked& asked);
  void add(http::Method method, std::string_view path, Handler handler);

  http::Response show_accepted(const Asked& asked);
  http::Response clear_accepted(const Asked& asked);
  http::Response show_journal(const Asked& asked);
  http::Response clear_journal(const Asked& asked);
  http::Response add_fault(const Asked& asked);
  http::Response clear_faults(const Asked& asked);
  http::Response set_behaviour(const Asked& asked);
  http::Response show_behaviour(const Asked& asked);
  http::Response reset_behaviour(const Asked& asked);
  http::Response make_account(const Asked& asked);
  http::Response show_accounts(const Asked& asked);

  http::Response inbound(const Asked& asked);
  http::Response status(const Asked& asked);
  http::Response change(const Asked& asked);
  http::Response make_template(const Asked& asked);
  http::Response add_media(const Asked& asked);
  awaitable<http::Response> post_webhook(const Asked& asked);
  http::Response show_webhooks(const Asked& asked);
  http::Response clear_webhooks(const Asked& asked);

  const PhoneNumber& number_of(const std::optional<std::string>& id) const;
  void tell(News news);

  State& state_;
  Webhooks& webhooks_;
  Behaviour first_behaviour_;
  http::Router router_;
  std::vector<Handler> handlers_;
};

// What the handlers of all its files use.
http::Response control_answer(std::string body);

template <class T>
T read_control(std::string_view body) {
  const auto value = http::parse_body(body);
  T out;
  model::Reader reader;
  reader.read(value, out);
  http::throw_faults(std::move(reader.faults));
  return out;
}

}  // namespace parley::simulator
