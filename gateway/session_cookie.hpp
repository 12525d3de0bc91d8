#pragma once
#include <string>
#include <string_view>

#include "common/chassis/environment.hpp"
#include "common/http/message.hpp"

namespace parley::gateway {

// A session's token as a cookie of browsers (RFC 6265, draft-ietf-httpbis-rfc6265bis 4.1.3.2): `__Host-parley`, which
// only the gateway's own origin can set and no script can read. Where PARLEY_PUBLIC_URL is not https, requests to a
// loopback host have `parley` instead, as not all browsers take Secure cookies there.
class SessionCookie {
 public:
  // Reads PARLEY_PUBLIC_URL, the gateway's public address; "" for none.
  static SessionCookie read(chassis::Environment& environment);
  explicit SessionCookie(std::string public_url = {});

  // The token of the request; "" without the cookie, or with several that differ.
  std::string_view find(const http::Request& request) const;

  // Whether a browser says that a page of this origin sent the request; without Sec-Fetch-Site
  // (https://www.w3.org/TR/fetch-metadata/), by its Origin.
  bool is_of_own_page(const http::Request& request) const;
  // Whether a browser says that a page of another origin did.
  bool is_of_other_page(const http::Request& request) const;

  // Appends Set-Cookie, with the value of contracts::organizations::kSessionField.
  void append(std::string& head, const http::Request& request, std::string_view value) const;

 private:
  bool is_plain(const http::Request& request) const;
  bool is_own(std::string_view origin, const http::Request& request) const;

  std::string origin_;  // of the public address
  bool is_https_ = false;
};

}  // namespace parley::gateway
