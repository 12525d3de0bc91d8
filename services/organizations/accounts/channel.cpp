#include "organizations/accounts/channel.hpp"

#include <algorithm>
#include <array>
#include <boost/describe/class.hpp>
#include <boost/json/value.hpp>

#include "common/http/query.hpp"

namespace parley::organizations::accounts {

// What the channel sends. All is optional: what is missing is judged where it is needed.
struct ErrorObject {
  std::optional<std::string> message;
  std::optional<std::int64_t> code;
  std::optional<bool> is_transient;
};
BOOST_DESCRIBE_STRUCT(ErrorObject, (), (message, code, is_transient))

struct ErrorAnswer {
  std::optional<ErrorObject> error;
};
BOOST_DESCRIBE_STRUCT(ErrorAnswer, (), (error))

struct TokenAnswer {
  std::optional<std::string> access_token;
  std::optional<std::string> business_token;  // its name in some of the channel's documentation
};
BOOST_DESCRIBE_STRUCT(TokenAnswer, (), (access_token, business_token))

struct SuccessAnswer {
  std::optional<bool> success;
};
BOOST_DESCRIBE_STRUCT(SuccessAnswer, (), (success))

struct PhoneNumberAnswer {
  std::optional<std::string> code_verification_status;
  std::optional<std::string> verified_name;
  std::optional<std::string> display_phone_number;
};
BOOST_DESCRIBE_STRUCT(PhoneNumberAnswer, (), (code_verification_status, verified_name, display_phone_number))

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLongestToken = 4096;
constexpr std::size_t kLongestMessage = 500;

// Refusals that pass: out of order, or asked too often.
constexpr std::array<std::int64_t, 6> kTemporary{2, 4, 17, 613, 80007, 131000};

http::Problem no_use(std::string_view why) {
  return http::Problem{.status = 502, .detail = "the messaging channel " + std::string(why)};
}

http::Problem later(std::string_view why, int seconds) {
  return http::Problem{.status = 503,
                       .detail = "the messaging channel " + std::string(why) + ": try again with the same code",
                       .head = "Retry-After: " + std::to_string(seconds) + "\r\n"};
}

std::string bearer(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }
std::string json_with(const std::string& token) { return bearer(token) + "Content-Type: application/json\r\n"; }

// It goes into a header field.
bool is_token(const std::string& text) {
  return !text.empty() && text.size() <= kLongestToken &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127; });
}

http::UpstreamSettings upstream_settings(const ChannelSettings& settings) {
  http::UpstreamSettings out;
  out.url = settings.url;
  out.connect_time = 3s;
  out.answer_time = settings.answer_time;
  out.in_flight = 16;
  out.queue = 16;
  out.answer_limit = 1 << 20;
  out.tls_ca_file = settings.tls_ca_file;
  return out;
}

}  // namespace

Channel::Channel(chassis::Process& process, const ChannelSettings& settings)
    : client_(process.context(), process.wheel(), upstream_settings(settings)),
      log_(process.log()),
      tracer_(process.tracer()),
      app_id_(settings.app_id),
      app_secret_(settings.app_secret) {}

void Channel::give_up(http::Problem problem, std::string_view error) {
  log_.warn(problem.detail).with("error", error);
  throw problem;
}

// The error object alone tells what happened; the status says little (one code comes as 400, 403 or 429).
void Channel::throw_refusal(const http::ClientResponse& response) {
  const auto status = "status " + std::to_string(response.status);
  const auto answer = model::from_json<ErrorAnswer>(response.body);
  if (!answer || !answer->error || !answer->error->code) {
    if (response.status >= 500) give_up(later("is out of order", 5), status);
    give_up(no_use("gave an answer that makes no sense"), status);
  }
  const auto& error = *answer->error;
  const auto code = "error " + std::to_string(*error.code);
  const bool temporary = error.is_transient.value_or(false) || response.status == 429 ||
                         std::find(kTemporary.begin(), kTemporary.end(), *error.code) != kTemporary.end();
  if (temporary) give_up(later("cannot do this now", 30), code);
  auto message = error.message.value_or("");
  if (message.empty() || message.size() > kLongestMessage) message = code;
  throw Refused(*error.code, std::move(message));
}

awaitable<http::ClientResponse> Channel::send(http::ClientRequest request) {
  using Why = http::Unreachable::Why;
  tracer_.follow(request, client_.upstream());
  try {
    co_return co_await client_.send(std::move(request));
  } catch (const http::Unreachable& unreachable) {
    if (unreachable.why == Why::bad_answer) give_up(no_use("gave an answer that is no HTTP"), unreachable.what());
    if (unreachable.why == Why::timeout) give_up(later("did not answer in time", 5), unreachable.what());
    give_up(later("is out of reach", 5), unreachable.what());
  }
}

template <class Answer>
awaitable<Answer> Channel::ask(http::ClientRequest request) {
  const auto response = co_await send(std::move(request));
  if (response.status != 200) throw_refusal(response);
  auto answer = model::from_json<Answer>(response.body);
  if (!answer) give_up(no_use("gave an answer that makes no sense"), "status 200");
  co_return std::move(*answer);
}

awaitable<std::string> Channel::exchange(std::string code) {
  http::ClientRequest request;
  request.replayable = false;
  request.target = "/oauth/access_token?client_id=";
  http::append_encoded(request.target, app_id_);
  request.target += "&client_secret=";
  http::append_encoded(request.target, app_secret_);
  request.target += "&code=";
  http::append_encoded(request.target, code);
  const auto answer = co_await ask<TokenAnswer>(std::move(request));
  auto token = answer.access_token.value_or(answer.business_token.value_or(""));
  if (!is_token(token)) give_up(no_use("answered without a token"), "status 200");
  co_return token;
}

awaitable<void> Channel::subscribe(std::string business_account_id, std::string token, std::string callback,
                                   std::string verify_token) {
  http::ClientRequest request;
  request.method = http::Method::post;
  request.target = "/" + business_account_id + "/subscribed_apps";
  request.head = json_with(token);
  request.body = "{}";
  request.replayable = true;
  if (!callback.empty()) {
    request.body = R"({"override_callback_uri":)";
    model::write(request.body, callback);
    request.body += R"(,"verify_token":)";
    model::write(request.body, verify_token);
    request.body += '}';
  }
  const auto answer = co_await ask<SuccessAnswer>(std::move(request));
  if (!answer.success.value_or(false)) give_up(no_use("did not say that the subscription succeeded"), "status 200");
}

awaitable<PhoneNumber> Channel::find_phone_number(std::string id, std::string token) {
  http::ClientRequest request;
  request.target = "/" + id + "?fields=code_verification_status,verified_name,display_phone_number";
  request.head = bearer(token);
  auto answer = co_await ask<PhoneNumberAnswer>(std::move(request));
  const bool verified = answer.code_verification_status == "VERIFIED";
  co_return PhoneNumber{answer.display_phone_number.value_or(""), answer.verified_name.value_or(""),
                        verified ? model::VerificationStatus::Verified : model::VerificationStatus::Unverified};
}

awaitable<void> Channel::register_phone_number(std::string id, std::string token, std::string pin) {
  http::ClientRequest request;
  request.method = http::Method::post;
  request.target = "/" + id + "/register";
  request.head = json_with(token);
  request.body = R"({"messaging_product":"whatsapp","pin":")" + pin + "\"}";
  const auto answer = co_await ask<SuccessAnswer>(std::move(request));
  if (!answer.success.value_or(false)) give_up(no_use("did not say that the registration succeeded"), "status 200");
}

}  // namespace parley::organizations::accounts
