#pragma once
#include <array>
#include <memory>
#include <string>
#include <unordered_map>

#include "common/chassis/process.hpp"
#include "common/http/upstream.hpp"
#include "gateway/event_stream.hpp"
#include "gateway/routes.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

// Sends requests on and answers back, rewritten: only fields that services know pass inwards, hop-by-hop ones pass
// neither way. Bodies are read whole before anybody is asked, as a client that lets one trickle in must not keep others
// from the service; long ones stream, beside the rest.
class Proxy {
 public:
  // URLs in the order of Service.
  Proxy(chassis::Process& process, const std::array<std::string, kServiceCount>& urls);

  // `token` says to the service in whose name it is asked. `may_go_on` is asked again and again while a stream lasts.
  awaitable<http::Response> forward(http::Request& request, const Route& route, std::string_view token,
                                    chassis::RequestContext& scope, EventStream::Check may_go_on);
  // Their clients go on at another gateway.
  void end_streams();

 private:
  http::Upstream& upstream_for(const Route& route, bool body_streams) const;
  std::unique_ptr<http::Upstream> connect(chassis::Process& process, const std::string& name,
                                          http::UpstreamSettings settings) const;
  chassis::Tracer& tracer_;
  std::array<std::unique_ptr<http::Upstream>, kServiceCount> services_;
  // What lasts takes nobody else's place: streams, and files on their way; nor does what anybody may send.
  std::unique_ptr<http::Upstream> streams_, webhooks_, webhook_uploads_;
  std::array<std::unique_ptr<http::Upstream>, kServiceCount> uploads_;  // of those that take files
  std::array<std::unique_ptr<http::Upstream>, kServiceCount> public_;   // of those with routes for everybody
  std::unordered_map<std::string, std::size_t> webhooks_uploading_;     // by network: site_of()
  std::shared_ptr<EventStreams> open_streams_ = std::make_shared<EventStreams>();
};

}  // namespace parley::gateway
