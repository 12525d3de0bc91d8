#pragma once
#include <array>
#include <memory>

#include "common/chassis/process.hpp"
#include "common/http/upstream.hpp"
#include "gateway/event_stream.hpp"
#include "gateway/routes.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

// Sends requests on and answers back, rewritten: only fields that services know pass inwards, hop-by-hop ones pass
// neither way, and bodies stream.
class Proxy {
 public:
  // URLs in the order of Service.
  Proxy(chassis::Process& process, const std::array<std::string, kServiceCount>& urls);

  // `token` says to the service in whose name it is asked. `may_go_on` is asked again and again while a stream lasts.
  awaitable<http::Response> forward(http::Request& request, const Route& route, std::string_view token,
                                    const chassis::Scope& scope, EventStream::Check may_go_on);
  // Their clients go on at another gateway.
  void end_streams();

 private:
  std::string head_of(const http::Request& request, const http::Upstream& upstream, std::string_view token,
                      const chassis::Scope& scope, const model::TraceContext& trace) const;
  chassis::Tracer& tracer_;
  std::array<std::unique_ptr<http::Upstream>, kServiceCount> services_;
  std::unique_ptr<http::Upstream> streams_;  // of conversations: they take nobody else's place
  std::shared_ptr<EventStreams> open_streams_ = std::make_shared<EventStreams>();
};

}  // namespace parley::gateway
