#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/contracts/organizations.hpp"
#include "common/http/message.hpp"
#include "gateway/routes.hpp"
#include "gateway/session_cookie.hpp"

namespace parley::gateway {

// What a request says about its caller; slices of the request.
struct Credential {
  std::string_view text;     // "" if there is none, or several that differ
  bool any = false;          // whether there is one, well-formed or not
  bool is_cookie = false;    // a session cookie, in place of the header fields
  std::string organization;  // that it acts in; "" for the caller's own

  // The cache key: a hash of the credential and the organization.
  std::string key() const;
};

// The credential in the header fields, else in the cookie: no GET that changes something takes that. Throws a Problem
// 400 if two organizations are named, or a parameter cannot be read; 403 if a page of another origin sent the cookie,
// or the request changes something and no page of this origin is known to have sent it.
Credential read_credential(const http::Request& request, const Route& route, const SessionCookie& cookie);

// The question for organizations; nullopt if the credential is malformed. Throws a Problem 400 if the organization is
// not an id.
std::optional<contracts::organizations::Verify> verify_question(const Credential& credential);

}  // namespace parley::gateway
