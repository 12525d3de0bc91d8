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
#include "common/http/router.hpp"

namespace parley::gateway {

enum class Service : unsigned char { contacts, conversations, organizations, analytics };
inline constexpr std::size_t kServiceCount = 4;
std::string_view name_of(Service service);

// Which service answers under which prefix, the longest first. What stands under none goes nowhere; /internal is in
// none.
struct Prefix {
  std::string_view path;
  Service service;
};
inline constexpr std::array kPrefixes{
    Prefix{"/api/organization/phone-numbers", Service::conversations},
    Prefix{"/api/organization/templates", Service::conversations},
    Prefix{"/api/conversations", Service::conversations},
    Prefix{"/api/conversation", Service::conversations},
    Prefix{"/api/organization", Service::organizations},
    Prefix{"/api/campaigns", Service::conversations},
    Prefix{"/api/analytics", Service::analytics},
    Prefix{"/api/messages", Service::conversations},
    Prefix{"/api/webhooks", Service::conversations},
    Prefix{"/api/contacts", Service::contacts},
    Prefix{"/api/events", Service::conversations},
    Prefix{"/api/lists", Service::contacts},
    Prefix{"/api/tags", Service::contacts},
    Prefix{"/webhooks", Service::conversations},
    Prefix{"/api/rbac", Service::organizations},
    Prefix{"/api/auth", Service::organizations},
    Prefix{"/api/user", Service::organizations},
    Prefix{"/l", Service::conversations},
};

// Whether an operation is for callers who are known: its `security` in the document.
enum class Credential : unsigned char { required, welcome, unwanted };

// An operation of the public contract.
struct Route {
  Service service;
  Credential credential;
  bool is_stream;       // its answer has no end of its own
  bool replayable;      // may be sent twice: GET, but for the one that changes something
  bool changes_access;  // on its success the caller's own credential may be worth something else, or nothing
  bool is_webhook;      // posted by the channel, signed: it comes from few addresses, whose rate does not hold for it
  std::chrono::milliseconds answer_time;  // 0: as usual
  std::unique_ptr<chassis::RouteMetrics> metrics;
};

// The operations of gateway/openapi.yaml: nothing else is forwarded, so what is not documented cannot be reached.
class Routes {
 public:
  explicit Routes(chassis::Boundary& boundary);
  // The route of a request, which its scope hears of. Throws the Problems 404, 405 and 501.
  const Route& find(const http::Request& request, chassis::RequestContext& scope) const;

 private:
  void add(chassis::Boundary& boundary, std::string_view method, std::string_view path,
           const boost::json::object& operation);
  std::deque<std::string> patterns_;  // what the router's patterns point into
  http::Router router_;
  std::vector<Route> routes_;
};

}  // namespace parley::gateway
