#include "common/channel/errors.hpp"

#include <algorithm>
#include <array>

#include "common/model/text.hpp"

namespace parley::cloud_api {

namespace {

constexpr std::size_t kMaxTextLength = 500;

struct Codes {
  std::int64_t first, last;
  ErrorClass meaning;
};

using enum ErrorClass;

// Sorted by code. The documented status stands in parentheses if it is not 400.
constexpr std::array kCodes{
    Codes{0, 0, access},                  // the token cannot be told whose it is (401)
    Codes{1, 1, unknown},                 // invalid request, or an error over there
    Codes{2, 2, unavailable},             // down or overloaded (503)
    Codes{3, 3, access},                  // no permission for this method (500)
    Codes{4, 4, rate_limit},              // the application's
    Codes{10, 10, access},                // permission taken back (403)
    Codes{17, 17, rate_limit},            // the user's, whose token it is
    Codes{33, 33, access},                // the number was deleted
    Codes{100, 100, rejected},            // invalid parameter
    Codes{101, 101, application},         // the application is not known
    Codes{102, 102, access},              // the session of the token has ended
    Codes{190, 190, access},              // token expired or revoked (401)
    Codes{200, 299, access},              // permissions (403)
    Codes{341, 341, rate_limit},          // the application's, of one kind of call
    Codes{368, 368, access},              // blocked for violating policies (403)
    Codes{613, 613, rate_limit},          // of the graph
    Codes{80007, 80008, rate_limit},      // of the business account; of its management
    Codes{130429, 130429, rate_limit},    // throughput of the number
    Codes{130472, 130472, rejected},      // the recipient is part of an experiment
    Codes{130497, 130497, access},        // may not write to this country (403)
    Codes{131000, 131000, unknown},       // something went wrong (500)
    Codes{131005, 131005, access},        // access denied (403)
    Codes{131008, 131009, rejected},      // a parameter is missing, or has a bad value
    Codes{131016, 131016, unavailable},   // a service is down for a while (503)
    Codes{131021, 131021, rejected},      // recipient and sender are the same
    Codes{131026, 131026, rejected},      // undeliverable: not on the channel, blocked, old application
    Codes{131030, 131030, rejected},      // not among the recipients that a test number may write to
    Codes{131031, 131031, access},        // account locked (403)
    Codes{131037, 131037, access},        // display name not approved
    Codes{131042, 131042, access},        // payment
    Codes{131044, 131045, access},        // payment; certificate of the number (500)
    Codes{131047, 131047, rejected},      // more than 24 hours since the recipient's last message
    Codes{131048, 131048, restricted},    // too much of the number's was taken for spam
    Codes{131049, 131049, rejected},      // the recipient got enough marketing for today
    Codes{131050, 131050, opted_out},     // the recipient stopped marketing
    Codes{131051, 131052, rejected},      // unsupported type; the recipient's media cannot be had
    Codes{131053, 131053, media},         // it cannot be uploaded from its link
    Codes{131056, 131056, pair_limit},    // between this number and this recipient
    Codes{131057, 131057, maintenance},   // such as for a higher throughput (500)
    Codes{131062, 131063, rejected},      // needs a phone number; marketing is switched off
    Codes{131064, 131064, restricted},    // fewer messages for having violated the templates' policies
    Codes{132000, 132001, bad_template},  // count of parameters; not there in this language (404)
    Codes{132005, 132005, bad_template},  // too long with its parameters
    Codes{132007, 132008, bad_template},  // policy; format of a parameter
    Codes{132012, 132012, bad_template},  // format of a parameter
    Codes{132015, 132016, restricted},    // paused; disabled
    Codes{132068, 132069, restricted},    // flow blocked; throttled
    Codes{133004, 133004, unavailable},   // the service that registers is (503)
    Codes{133005, 133006, registration},  // another PIN; not verified yet
    Codes{133008, 133009, registration},  // PINs were guessed too often, or too fast
    Codes{133010, 133010, access},        // the number is not registered
    Codes{133015, 133016, registration},  // deleted a moment ago; registered too often
    Codes{135000, 135000, unknown},       // something with the parameters
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kCodes.size(); ++i)
    if (kCodes[i].first > kCodes[i].last || (i > 0 && kCodes[i - 1].last >= kCodes[i].first)) return false;
  return true;
}
static_assert(is_in_order());

}  // namespace

ErrorClass class_of(std::int64_t code) {
  const auto* const found =
      std::lower_bound(kCodes.begin(), kCodes.end(), code, [](const Codes& c, std::int64_t v) { return c.last < v; });
  return found != kCodes.end() && found->first <= code ? found->meaning : unlisted;
}

bool Error::is_refusal() const {
  const bool says_nothing = meaning == unlisted || meaning == unknown || meaning == unavailable;
  return !says_nothing || (status >= 400 && status < 500);
}

bool Error::is_temporary() const {
  if (transient) return true;
  switch (meaning) {
    case unknown:
    case unavailable:
    case rate_limit:
    case pair_limit:
    case maintenance:
    case media:
      return true;
    case unlisted:  // there is no better indication than the status
      return status == 429 || status >= 500;
    default:
      return false;
  }
}

std::optional<Error> read_error(const std::optional<ErrorObject>& error, unsigned status) {
  if (!error || !error->code) return std::nullopt;
  Error out{.code = *error->code,
            .meaning = class_of(*error->code),
            .status = status,
            .transient = error->is_transient.value_or(false)};
  out.text = error->message.value_or("");
  if (out.text.empty()) out.text = "error " + std::to_string(out.code);
  const auto details = error->error_data ? error->error_data->details.value_or("") : "";
  if (!details.empty() && out.text.find(details) == out.text.npos) out.text += ": " + details;
  out.text.resize(model::first_octets(out.text, kMaxTextLength).size());
  return out;
}

std::optional<Error> read_error(std::string_view body, unsigned status) {
  const auto answer = model::from_json<ErrorResponse>(body);
  return answer ? read_error(answer->error, status) : std::nullopt;
}

}  // namespace parley::cloud_api
