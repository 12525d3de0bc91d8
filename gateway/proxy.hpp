#pragma once
#include <array>
#include <memory>
#include <string>
#include <unordered_map>

#include "common/chassis/process.hpp"
#include "common/http/upstream.hpp"
#include "gateway/event_stream.hpp"
#include "gateway/routes.hpp"
#include "gateway/session_cookie.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

// Forwards requests and responses and rewrites their fields: only known fields pass to services, and hop-by-hop fields
// in neither direction. JSON is compressed for clients that accept it. Requests' bodies are read whole before the
// service is called, so that slow clients do not hold its connections; long bodies are streamed over separate
// connections.
class Proxy {
 public:
  // The URLs are in the order of Service.
  Proxy(chassis::Process& process, const std::array<std::string, kServiceCount>& urls, const SessionCookie& cookie);

  // `token` tells the service the caller's identity. `may_go_on` is checked repeatedly while a stream lasts.
  awaitable<http::Response> forward(http::Request& request, const Route& route, std::string_view token,
                                    chassis::RequestContext& scope, EventStream::Check may_go_on);
  // Ends all streams; their clients reconnect to another gateway.
  void end_streams();

  // What the fields of a service's response say.
  struct Said {
    std::string_view etag{}, vary{};
    bool is_json = false, is_file = false;
    bool is_secret = false;  // must not be stored
    bool closes = false;     // the connection
  };

 private:
  Said pass_fields(const http::Request& request, const http::Exchange& exchange, http::Response& response) const;
  http::Upstream& upstream_for(const Route& route, bool body_streams) const;
  std::unique_ptr<http::Upstream> connect(chassis::Process& process, const std::string& name,
                                          http::UpstreamSettings settings) const;
  chassis::Tracer& tracer_;
  const SessionCookie& cookie_;
  std::array<std::unique_ptr<http::Upstream>, kServiceCount> services_;
  // Separate connection limits for streams, uploads and webhooks, so that they cannot crowd out other requests.
  std::unique_ptr<http::Upstream> streams_, webhooks_, webhook_uploads_;
  std::array<std::unique_ptr<http::Upstream>, kServiceCount> uploads_;  // for services that take files
  std::array<std::unique_ptr<http::Upstream>, kServiceCount> public_;   // for services with public routes
  std::unordered_map<std::string, std::size_t> webhooks_uploading_;     // by network: site_of()
  std::shared_ptr<EventStreams> open_streams_ = std::make_shared<EventStreams>();
};

}  // namespace parley::gateway
