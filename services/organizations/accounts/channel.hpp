#pragma once
#include <stdexcept>

#include "common/channel/errors.hpp"
#include "common/chassis/process.hpp"
#include "common/http/client.hpp"
#include "common/http/problem.hpp"
#include "organizations/accounts/shapes.hpp"

namespace parley::organizations::accounts {

using boost::asio::awaitable;

// The channel rejected a call permanently. Every other failure is a Problem 502 or 503: unreachable, server errors,
// malformed responses, temporary refusals such as rate limits.
struct Refused : std::runtime_error {
  explicit Refused(const cloud_api::Error& error)
      : std::runtime_error(error.text), code(error.code), meaning(error.meaning) {}
  std::int64_t code;  // from the channel's error object
  cloud_api::ErrorClass meaning;
};

struct ChannelSettings {
  std::string url;  // includes the version: https://graph.facebook.com/v20.0
  std::string app_id, app_secret;
  std::string tls_ca_file{};  // "" uses the system's store
  std::chrono::milliseconds answer_time{10'000};
};

// The calls of the WhatsApp Business Cloud API that connect a business account.
class Channel {
 public:
  Channel(chassis::Process& process, const ChannelSettings& settings);

  // GET /oauth/access_token: consumes the code, never retried. Refused as application or unknown: bad app id or secret.
  awaitable<std::string> exchange(std::string code);
  // POST /{business account}/subscribed_apps. An empty callback keeps the application's default.
  awaitable<void> subscribe(std::string business_account_id, std::string token, std::string callback,
                            std::string verify_token);
  // GET /{phone number}?fields=...
  awaitable<PhoneNumber> find_phone_number(std::string id, std::string token);
  // POST /{phone number}/register
  awaitable<void> register_phone_number(std::string id, std::string token, std::string pin);

  http::Upstream& upstream() { return client_.upstream(); }

 private:
  template <class Answer>
  Answer read(const http::ClientResponse& response);
  awaitable<http::ClientResponse> send(http::ClientRequest request);
  [[noreturn]] void throw_refusal(const http::ClientResponse& response);
  // Logs the error; the Problem does not reveal it.
  [[noreturn]] void give_up(http::Problem problem, std::string_view error);

  http::Client client_;
  chassis::Log& log_;
  chassis::Tracer& tracer_;
  std::string app_id_, app_secret_;
};

}  // namespace parley::organizations::accounts
