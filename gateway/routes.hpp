#pragma once
#include <array>
#include <boost/json/object.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/chassis/boundary.hpp"
#include "common/http/problem.hpp"
#include "common/http/router.hpp"

namespace parley::gateway {

enum class Service : unsigned char { contacts, conversations, organizations, analytics };
inline constexpr std::size_t kServiceCount = 4;
std::string_view name_of(Service service);

// Whether an operation needs a credential, accepts one, or ignores it: its `security` in the document.
enum class Need : unsigned char { required, welcome, unwanted };

// An operation of the public contract.
struct Route {
  Service service;
  Need credential;
  bool is_stream;           // its response is endless
  bool replayable;          // may be sent twice: GET, except the one that changes something
  bool changes_access;      // its success may change the rights of the caller's own credential, or end them
  bool takes_organization;  // as a parameter too
  bool is_webhook;  // a signed POST by the channel: exempt from the address rate, as it comes from few addresses
  std::chrono::milliseconds answer_time;  // 0: the default
  std::unique_ptr<chassis::RouteMetrics> metrics;
};

// The answer to a method that a path does not have; `allow` lists those that it has, with commas.
http::Problem method_not_allowed(const std::string& allow);

// The operations of gateway/openapi.yaml. Nothing else is forwarded, so undocumented routes are unreachable. `x-`
// members, explained there, say where and how to forward; an unknown one fails the start.
class Routes {
 public:
  explicit Routes(chassis::Boundary& boundary);
  // The route of a request, also recorded in `scope`. Throws the Problems 400, 404 and 405. An unknown method gets 405
  // too, not 501 (RFC 9110 15.6.2): nobody without a credential may make a request that counts as our failure.
  const Route& find(const http::Request& request, chassis::RequestContext& scope) const;
  // The methods of the request's path, with commas; its pattern is recorded in `scope`. Throws the Problem 404.
  std::string methods_of(const http::Request& request, chassis::RequestContext& scope) const;
  // For http::ServerLimits.
  const std::vector<std::string>& streamed() const { return streamed_; }

 private:
  void add(chassis::Boundary& boundary, std::string_view method, std::string_view path,
           const boost::json::object& operation, const boost::json::array& tags);
  std::deque<std::string> patterns_;  // owns the text of the router's patterns
  http::Router router_;
  std::vector<Route> routes_;
  std::vector<std::string> streamed_;
};

}  // namespace parley::gateway
