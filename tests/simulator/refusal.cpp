#include "tests/simulator/refusal.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/model/json.hpp"
#include "tests/simulator/signing.hpp"

namespace parley::simulator {

namespace {

constexpr std::array<std::pair<std::int64_t, std::string_view>, 49> kTitles{{
    {0, "AuthException"},
    {1, "API Unknown"},
    {2, "API Service"},
    {3, "API Method"},
    {4, "Application request limit reached"},
    {10, "Permission Denied"},
    {100, "Invalid parameter"},
    {190, "Access token has expired"},
    {368, "Temporarily blocked for policies violations"},
    {613, "Calls to this API have exceeded the rate limit."},
    {80007, "Rate limit issues"},
    {130429, "Rate limit hit"},
    {130472, "User's number is part of an experiment"},
    {130497, "Business account is restricted from messaging users in this country."},
    {131000, "Something went wrong"},
    {131005, "Access denied"},
    {131008, "Required parameter is missing"},
    {131009, "Parameter value is not valid"},
    {131016, "Service unavailable"},
    {131021, "Recipient cannot be sender"},
    {131026, "Message undeliverable"},
    {131030, "Recipient phone number not in allowed list"},
    {131031, "Business Account locked"},
    {131037, "WhatsApp provided number needs display name approval before message can be sent."},
    {131042, "Business eligibility payment issue"},
    {131044, "Business eligibility payment issue"},
    {131045, "Incorrect certificate"},
    {131047, "Re-engagement message"},
    {131048, "Spam rate limit hit"},
    {131049, "This message was not delivered to maintain healthy ecosystem engagement."},
    {131050, "Unable to deliver the message. This recipient has chosen to stop receiving marketing messages"},
    {131051, "Unsupported message type"},
    {131052, "Media download error"},
    {131053, "Media upload error"},
    {131056, "(Business Account, Consumer Account) pair rate limit hit"},
    {131057, "Account in maintenance mode"},
    {131062, "Business-scoped User ID (BSUID) recipients are not supported for this message."},
    {131063, "Marketing templates cannot be sent on the Cloud API."},
    {131064, "Messaging limit reached"},
    {132000, "Number of parameters does not match the expected number of params"},
    {132001, "Template name does not exist in the translation"},
    {132005, "Translated text too long"},
    {132007, "Template format character policy violated"},
    {132012, "Parameter format does not match format in the created template"},
    {132015, "Template is paused"},
    {132016, "Template is disabled"},
    {132068, "Flow is blocked"},
    {132069, "Flow is throttled"},
    {133016, "Account register deregister rate limit exceeded"},
}};

}  // namespace

std::string_view title_of(std::int64_t code) {
  const auto* const found =
      std::find_if(kTitles.begin(), kTitles.end(), [&](const auto& title) { return title.first == code; });
  return found == kTitles.end() ? "Generic user error" : found->second;
}

http::Response graph_error(std::int64_t code, std::string_view message, std::int64_t subcode, unsigned status,
                           std::string_view details) {
  http::Response response;
  response.status = status;
  auto& out = response.body;
  out += "{\"error\":{\"message\":";
  model::write(out, message);
  out += ",\"type\":\"OAuthException\",\"code\":";
  model::write(out, code);
  if (subcode != 0) {
    out += ",\"error_subcode\":";
    model::write(out, subcode);
  }
  if (!details.empty()) {
    out += ",\"error_data\":{\"messaging_product\":\"whatsapp\",\"details\":";
    model::write(out, details);
    out += '}';
  }
  out += ",\"fbtrace_id\":\"A" + random_letters(22) + "\"}}";
  return response;
}

http::Response graph_error(const Refusal& refusal) {
  const auto message = "(#" + std::to_string(refusal.code) + ") " + std::string(title_of(refusal.code));
  return graph_error(refusal.code, message, 0, 400, refusal.details);
}

}  // namespace parley::simulator
