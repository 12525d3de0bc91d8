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

// The operations of gateway/openapi.yaml: nothing else is forwarded, so what is not documented cannot be reached. Where
// each goes, and how, its `x-` members say, which are explained there; one that is not known ends the start.
class Routes {
 public:
  explicit Routes(chassis::Boundary& boundary);
  // The route of a request, which its scope hears of. Throws the Problems 404, 405 and 501.
  const Route& find(const http::Request& request, chassis::RequestContext& scope) const;
  // As http::ServerLimits has them.
  const std::vector<std::string>& streamed() const { return streamed_; }

 private:
  void add(chassis::Boundary& boundary, std::string_view method, std::string_view path,
           const boost::json::object& operation, const boost::json::array& tags);
  std::deque<std::string> patterns_;  // what the router's patterns point into
  http::Router router_;
  std::vector<Route> routes_;
  std::vector<std::string> streamed_;
};

}  // namespace parley::gateway
