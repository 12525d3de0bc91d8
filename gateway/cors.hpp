#pragma once
#include <set>
#include <string>
#include <string_view>

#include "common/chassis/environment.hpp"
#include "common/http/message.hpp"

namespace parley::gateway {

// Cross-origin requests of browsers (https://fetch.spec.whatwg.org/#http-cors-protocol) from the origins in
// PARLEY_CORS_ORIGINS, separated by commas. None by default. Credentials are fields that a page sets, never cookies, so
// Access-Control-Allow-Credentials is never sent.
class Cors {
 public:
  static Cors read(chassis::Environment& environment);

  // Adds an origin as browsers write it: `https://app.example`, in lower case, without a default port or a path.
  // Returns false for anything else, also for `*` and `null`.
  bool add(std::string_view origin);
  bool is_on() const { return !origins_.empty(); }
  bool allows(std::string_view origin) const { return origins_.contains(origin); }

  // Whether the request asks for permission, for an origin that has it.
  bool is_preflight(const http::Request& request) const;
  // The answer to a preflight of a path that knows the methods in `allow`; mark() completes it.
  static http::Response permission(const std::string& allow);
  // Adds to an answer what lets a page of the request's origin read it, if the origin is allowed. Requires an Origin.
  void mark(const http::Request& request, http::Response& response) const;

 private:
  std::set<std::string, std::less<>> origins_;
};

}  // namespace parley::gateway
