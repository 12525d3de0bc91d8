#pragma once
#include "common/http/body.hpp"
#include "common/http/router.hpp"
#include "tests/simulator/webhooks.hpp"

namespace parley::simulator {

using boost::asio::awaitable;

// The control API, by which tests and people with curl inspect and steer the simulator. Bodies are JSON, whatever the
// Content-Type. Users' numbers may contain a plus and blanks. phoneNumberId and businessAccountId default to the
// initial ones.
//
// Accepted messages:
//
// GET /simulator/accepted?recipient=&limit=
//     -> {"total", "distinct", "doubled", "accepted":[{recipient, opaque, wamid, count, type, body}]}
//     One element for each pair of recipient and opaque id, in order of arrival; a message without an opaque id has its
//     own. A count above 1 marks a message that was sent twice. `total` counts messages, `doubled` such elements,
//     both of all recipients. The body is null after 10,000 more calls. limit=0: totals only.
// DELETE /simulator/accepted: forgets them, and pending webhooks, like DELETE /simulator/webhooks.
// GET /simulator/journal
//     -> {"calls":[{method, path, query, authorization, body, status}]}: the newest 10,000 calls, oldest first. Bodies
//     are truncated at 16 KiB; status 0: no response.
// DELETE /simulator/journal: forgets them.
//
// Faults and behaviour:
//
// POST /simulator/faults
//     {"path": "/123/messages", "method"?, "recipient"?, "times"?: 1, "oneIn"?: 1, "done"?: false, "code"?: 131056,
//      "status"?: 400 | "hang" | "reset" | "lose", "error"?: {code, message, ..}, "body"?: text}
//     `path` has no version; a segment `*` matches any. The next `times` matching calls (the first of every `oneIn`)
//     get the channel's error of `code`, or `error`, or `body`. "hang": no response for a minute; "reset": the
//     connection ends without a response. "done": the call takes effect, only its response is replaced:
//     {"code": 2, "status": 503, "done": true} accepts a message, sends its statuses, and responds 503 with an error.
//     "lose": "reset" with "done".
// DELETE /simulator/faults: removes all faults.
// POST /simulator/behaviour: sets the given members (defaults in parentheses), and returns all:
//     statuses          the statuses of a message: "all" (sent, delivered, read), "none", or a list of these and failed
//     failure           the error code of failed (131026)
//     delayMs           from a send to its first status, between statuses, and before the reply (50)
//     reorder           random delay of each message, status and change, at most so many ms; true is 250 (0)
//     repeat            how often each is sent (1)
//     batch             the maximum number of due ones in a body (1)
//     early             sends the due webhooks before the response to a send; with delayMs 0, its statuses (false)
//     reply             the text with which users reply to each message; "": none ("")
//     rate              messages a second of a number, beyond which 130429 is returned; 0: no limit (0)
//     pairMs, pairBurst one message of a number to a user per pairMs, with a burst of pairBurst; beyond: 131056 (0, 45)
//     answerDelayMs     delay of the response to a send (0)
//     serviceWindow     whether a message other than a template gets 131047 unless the user wrote to the number within
//                       24 hours (true, but see --open-window)
//     verifyCallbacks   whether a subscription's URL must answer the challenge (false)
//     retryMs           until a webhook without a 200 is retried; doubles, up to an hour (1000)
//     mediaSeconds      how long a file's URL is valid (300)
//     messagingLimit    the limit that all numbers report, such as TIER_2K; not enforced ("TIER_UNLIMITED")
//     webhookUrl        the application's URL; a subscription's own URL takes precedence
// GET /simulator/behaviour: the current behaviour.
// DELETE /simulator/behaviour: restores the initial behaviour.
//
// Events, each sent as a signed webhook:
//
// POST /simulator/inbound
//     {"phoneNumberId"?, "from"? | "userId"?, "profileName"?, "text"? | "messages"?: [{type, ..}]}
//     -> {"messages":[{"id"}]}
//     Each message is the channel's object, such as {"type":"image","image":{"id":..}}; id, timestamp and from are
//     added unless given, as are a known file's mime_type and sha256. `text` is short for one text message. Opens the
//     user's service window for 24 hours.
// POST /simulator/statuses
//     {"messageId", "status", "phoneNumberId"?, "recipient"?, "opaque"?, "timestamp"?, "errors"?}: any word, for any
//     message; the missing members of an accepted one are filled in.
// POST /simulator/changes
//     {"businessAccountId"?, "phoneNumberId"?, "field", "value"}: any other change, such as account_update. The value
//     of user_preferences may be {"user", "value": "stop" | "resume"}.
// POST /simulator/templates
//     {"businessAccountId"?, "id"? | "name", "language", "status"?, "category"?, "components"?, "reason"?, "quality"?,
//      "told"?: true}: creates or changes a template, as the channel's reviewers do: {"id", "status": "APPROVED"}.
//      Sends its status, unless only its quality or category changes, and those that change; with "told": false
//      nothing.
// POST /simulator/media: stores a file of the given Content-Type for users' messages -> {"id"}.
// DELETE /simulator/media?id=: forgets a file, as the channel does after days.
// POST /simulator/webhook?url=: signs and posts the body unchanged, once -> {"status", "body"} of the response.
// GET /simulator/webhooks?limit=
//     -> {"pending", "delivered", "failed", "givenUp", "webhooks":[{url, status, attempt, elements, signature, body}]}
//     Pending and delivered messages, statuses and changes; posts without a 200; the newest 1,000 posts, oldest first.
//     limit=0: totals only.
// DELETE /simulator/webhooks: drops all pending ones.
//
// Accounts:
//
// POST /simulator/accounts
//     {"businessAccountId", "phoneNumbers": [{"id", "displayPhoneNumber"?, "verifiedName"?,
//      "codeVerificationStatus"?}]}: creates or replaces them.
// GET /simulator/accounts: all accounts, with subscriptions and PINs.
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
  http::Response forget_media(const Asked& asked);
  awaitable<http::Response> post_webhook(const Asked& asked);
  http::Response show_webhooks(const Asked& asked);
  http::Response clear_webhooks(const Asked& asked);

  const PhoneNumber& number_of(const std::optional<std::string>& id) const;
  void tell(News news);
  void tell_template(const Template& kept, const std::optional<Template>& old, bool with_status,
                     const std::string& reason);

  State& state_;
  Webhooks& webhooks_;
  Behaviour first_behaviour_;
  http::Router router_;
  std::vector<Handler> handlers_;
};

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
