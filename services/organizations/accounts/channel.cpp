#include "organizations/accounts/channel.hpp"

#include <algorithm>

#include "common/channel/answers.hpp"
#include "common/channel/problems.hpp"
#include "common/channel/requests.hpp"

namespace parley::organizations::accounts {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxTokenLength = 4096;
constexpr std::string_view kHow = "try again with the same code";

// The token becomes part of a header field.
bool is_token(const std::string& text) {
  return !text.empty() && text.size() <= kMaxTokenLength &&
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

void Channel::throw_refusal(const http::ClientResponse& response) {
  const auto status = "status " + std::to_string(response.status);
  const auto error = cloud_api::read_error(response.body, response.status);
  if (!error && response.status >= 500) give_up(cloud_api::later("is out of order", 5, kHow), status);
  if (!error) give_up(cloud_api::no_use("gave an answer that makes no sense"), status);
  if (error->is_temporary())
    give_up(cloud_api::later("cannot do this now", 30, kHow), "error " + std::to_string(error->code));
  throw Refused(*error);
}

awaitable<http::ClientResponse> Channel::send(http::ClientRequest request) {
  tracer_.follow(request, client_.upstream());
  try {
    co_return co_await client_.send(std::move(request));
  } catch (const http::Unreachable& unreachable) {
    give_up(cloud_api::unreachable(unreachable, kHow), unreachable.what());
  }
}

template <class Answer>
Answer Channel::read(const http::ClientResponse& response) {
  if (response.status != 200) throw_refusal(response);
  auto answer = model::from_json<Answer>(response.body);
  if (!answer) give_up(cloud_api::no_use("gave an answer that makes no sense"), "status 200");
  return std::move(*answer);
}

awaitable<std::string> Channel::exchange(std::string code) {
  const auto response = co_await send(cloud_api::exchange_code(app_id_, app_secret_, code));
  // The channel's error identifies a bad code or application id; it says nothing specific about a bad secret.
  const auto error = cloud_api::read_error(response.body, response.status);
  if (error && error->meaning == cloud_api::ErrorClass::unknown && error->is_refusal() && !error->transient)
    throw Refused(*error);
  const auto answer = read<cloud_api::TokenResponse>(response);
  auto token = answer.access_token.value_or(answer.business_token.value_or(""));
  if (!is_token(token)) give_up(cloud_api::no_use("answered without a token"), "status 200");
  co_return token;
}

awaitable<void> Channel::subscribe(std::string business_account_id, std::string token, std::string callback,
                                   std::string verify_token) {
  const auto answer = read<cloud_api::SuccessResponse>(
      co_await send(cloud_api::subscribe(business_account_id, token, callback, verify_token)));
  if (!answer.success.value_or(false))
    give_up(cloud_api::no_use("did not say that the subscription succeeded"), "status 200");
}

awaitable<PhoneNumber> Channel::find_phone_number(std::string id, std::string token) {
  const auto answer = read<cloud_api::PhoneNumberResponse>(co_await send(cloud_api::show_phone_number(id, token)));
  const bool verified = answer.code_verification_status == "VERIFIED";
  co_return PhoneNumber{answer.display_phone_number.value_or(""), answer.verified_name.value_or(""),
                        verified ? model::VerificationStatus::Verified : model::VerificationStatus::Unverified};
}

awaitable<void> Channel::register_phone_number(std::string id, std::string token, std::string pin) {
  const auto answer = read<cloud_api::SuccessResponse>(co_await send(cloud_api::register_phone_number(id, token, pin)));
  if (!answer.success.value_or(false))
    give_up(cloud_api::no_use("did not say that the registration succeeded"), "status 200");
}

}  // namespace parley::organizations::accounts
