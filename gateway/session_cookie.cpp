#include "gateway/session_cookie.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "common/http/list.hpp"
#include "common/model/text.hpp"

namespace parley::gateway {

namespace {

constexpr std::string_view kSecure = "__Host-parley", kPlain = "parley";

// `authority` is `HOST` or `HOST:PORT`.
bool is_loopback(std::string_view authority) {
  const auto parsed = boost::urls::parse_authority({authority.data(), authority.size()});
  if (!parsed) return false;
  const auto host = parsed->host_address();
  if (model::equals_ignoring_case(host, "localhost")) return true;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return !error && address.is_loopback();
}

}  // namespace

SessionCookie SessionCookie::read(chassis::Environment& environment) {
  if (environment.text("PARLEY_PUBLIC_URL", "").empty()) return SessionCookie();
  return SessionCookie(environment.url("PARLEY_PUBLIC_URL"));
}

SessionCookie::SessionCookie(std::string public_url) {
  const auto parsed = boost::urls::parse_uri(public_url);
  if (!parsed) return;
  origin_ = std::string(parsed->scheme()) + "://" + std::string(parsed->encoded_host_and_port());
  is_https_ = parsed->scheme() == "https";
}

bool SessionCookie::is_plain(const http::Request& request) const {
  return !is_https_ && is_loopback(request.field("Host"));
}

std::string_view SessionCookie::find(const http::Request& request) const {
  std::string_view found;
  for (const auto& [field, value] : request.fields) {
    if (!model::equals_ignoring_case(field, "Cookie")) continue;
    const auto name = is_plain(request) ? kPlain : kSecure;
    for (auto rest = value; !rest.empty();) {  // RFC 6265 4.2.1
      const auto end = rest.find(';');
      const auto pair = http::trimmed(rest.substr(0, end));
      rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
      if (!pair.starts_with(name) || pair.substr(name.size(), 1) != "=") continue;
      const auto token = pair.substr(name.size() + 1);
      if (!found.empty() && found != token) return {};
      found = token;
    }
  }
  return found;
}

bool SessionCookie::is_own(std::string_view origin, const http::Request& request) const {
  if (!origin_.empty() && origin == origin_) return true;
  const auto scheme = origin.find("://");
  if (scheme == origin.npos) return false;
  const auto host = request.field("Host");
  return !host.empty() && model::equals_ignoring_case(origin.substr(scheme + 3), host);
}

bool SessionCookie::is_of_own_page(const http::Request& request) const {
  if (request.has("Sec-Fetch-Site")) return request.field("Sec-Fetch-Site") == "same-origin";
  return is_own(request.field("Origin"), request);
}

bool SessionCookie::is_of_other_page(const http::Request& request) const {
  if (request.has("Sec-Fetch-Site")) {
    const auto site = request.field("Sec-Fetch-Site");
    return site != "same-origin" && site != "none";
  }
  return request.has("Origin") && !is_own(request.field("Origin"), request);
}

void SessionCookie::append(std::string& head, const http::Request& request, std::string_view value) const {
  const bool plain = is_plain(request);
  head.append("Set-Cookie: ").append(plain ? kPlain : kSecure).append("=").append(value);
  head.append("; Path=/; HttpOnly; SameSite=Strict").append(plain ? "\r\n" : "; Secure\r\n");
}

}  // namespace parley::gateway
