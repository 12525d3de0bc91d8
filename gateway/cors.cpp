#include "gateway/cors.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "common/http/list.hpp"

namespace parley::gateway {

namespace {

// The request fields of the contract. Browsers ask for all that a page sets but the safelisted ones.
constexpr std::string_view kRequestFields =
    "Authorization, X-API-Key, x-access-token, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
    "X-Organization-Id, X-Request-Id, traceparent, tracestate, Last-Event-ID, Range, If-Range";

// The answers' fields of the contract that are not safelisted.
constexpr std::string_view kAnswerFields =
    "Access-Control-Expose-Headers: ETag, Link, Location, Allow, RateLimit, RateLimit-Policy, Retry-After, "
    "WWW-Authenticate, X-Request-Id, Parley-Degraded, Parley-Inexact-Before, Idempotency-Replayed, Deprecation, "
    "Sunset, traceparent, Content-Disposition, Content-Range, Accept-Ranges\r\n";

constexpr std::string_view kOfOrigins = "abcdefghijklmnopqrstuvwxyz0123456789.-_:/[]";

constexpr std::string_view kMaxAge = "7200";  // seconds; the longest that Chromium keeps a permission

}  // namespace

Cors Cors::read(chassis::Environment& environment) {
  Cors out;
  const auto text = environment.text("PARLEY_CORS_ORIGINS", "");
  if (text.empty()) return out;
  for (const auto origin : http::split(text))
    if (!out.add(origin))
      environment.fault("PARLEY_CORS_ORIGINS", "'" + std::string(origin) +
                                                   "' is no origin: write it as browsers do, such as "
                                                   "https://app.example or http://localhost:3000, without a path");
  return out;
}

bool Cors::add(std::string_view origin) {
  const auto parsed = boost::urls::parse_uri({origin.data(), origin.size()});
  if (!parsed) return false;
  const bool is_https = parsed->scheme() == "https", is_http = parsed->scheme() == "http";
  const auto authority = std::string(parsed->scheme()) + "://" + std::string(parsed->encoded_host_and_port());
  const bool has_default_port = parsed->has_port() && (parsed->port_number() == 0 || parsed->port().empty() ||
                                                       parsed->port_number() == (is_https ? 443 : 80));
  // Of a name or an address: no capital and no `*`, which browsers never send, and which would match nothing.
  const bool is_host = !parsed->encoded_host().empty() && origin.find_first_not_of(kOfOrigins) == origin.npos;
  if ((!is_https && !is_http) || !is_host || authority != origin || has_default_port) return false;
  origins_.emplace(origin);
  return true;
}

bool Cors::is_preflight(const http::Request& request) const {
  return is_on() && request.method == http::Method::options && request.has("Access-Control-Request-Method") &&
         allows(request.field("Origin"));
}

http::Response Cors::permission(const std::string& allow) {
  http::Response response;
  response.status = 204;
  response.content_type = {};
  response.add("Access-Control-Allow-Methods", allow);
  response.add("Access-Control-Allow-Headers", kRequestFields);
  response.add("Access-Control-Max-Age", kMaxAge);
  return response;
}

void Cors::mark(const http::Request& request, http::Response& response) const {
  response.add("Vary", "Origin");
  const auto origin = request.field("Origin");
  if (!allows(origin)) return;
  response.add("Access-Control-Allow-Origin", origin);
  if (request.method != http::Method::options) response.head += kAnswerFields;
}

}  // namespace parley::gateway
