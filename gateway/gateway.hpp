#pragma once
#include "common/chassis/process.hpp"
#include "common/redis/client.hpp"
#include "gateway/authentication.hpp"
#include "gateway/client_address.hpp"
#include "gateway/cors.hpp"
#include "gateway/proxy.hpp"
#include "gateway/rate_limit.hpp"
#include "gateway/routes.hpp"

namespace parley::gateway {

struct Settings {
  redis::Settings redis;
  std::array<std::string, kServiceCount> urls;
  RateSettings rates;
  TrustedProxies proxies;
  Cors cors;
  SessionCookie cookie;
  // Limits of this gateway: connections in total and per address; MiB for long heads and streaming bodies, and for
  // buffered bodies.
  std::int64_t connections = 10'000, connections_an_address = 512;
  std::int64_t buffers_mib = 24, bodies_mib = 32;

  static Settings read(chassis::Environment& environment);
};

// The steps of a request: route (undocumented ones end here), rate of the address, caller, rate of the caller, service.
class Gateway final : public chassis::Application {
 public:
  Gateway(chassis::Process& process, const Settings& settings);

  void start() override {
    redis_.open();
    authentication_.start();
  }
  void finish_waits() override { proxy_.end_streams(); }
  awaitable<void> stop() override {
    authentication_.stop();
    redis_.close();
    co_return;
  }

 private:
  awaitable<http::Response> answer_browser(http::Request& request);
  awaitable<http::Response> work(http::Request& request, chassis::RequestContext& scope);
  awaitable<http::Response> answer_preflight(const http::Request& request, chassis::RequestContext& scope);
  awaitable<std::shared_ptr<Caller>> caller_of(const http::Request& request, const Route& route,
                                               const Credential& credential, const chassis::RequestContext& scope);
  struct Rates {
    std::optional<RateVerdict> address;  // set where the route is rate-limited
    std::optional<RateVerdict> key;      // set if the caller has a credential
  };
  void set_limits(const Settings& settings);
  // Sets the request's owner and its maximum body length.
  void bound(http::Request& request, const Route& route, const Caller* caller,
             const chassis::RequestContext& scope) const;
  awaitable<http::Response> forward_webhook(http::Request& request, const Route& route, chassis::RequestContext& scope);
  void append_rates(std::string& head, const Rates& rates) const;
  void require(const Rates& rates) const;

  chassis::Process& process_;
  chassis::Boundary& boundary_;
  TrustedProxies proxies_;
  const Cors cors_;
  const SessionCookie cookie_;
  redis::Client redis_;
  RatePolicy address_rate_, key_rate_;
  AuthFailureLimiter refusals_, unsigned_webhooks_;
  chassis::ServiceClient organizations_;
  Authentication authentication_;
  Routes routes_;
  Proxy proxy_;
  std::string both_policies_, address_policy_;
  std::unique_ptr<chassis::RouteMetrics> document_metrics_;
  chassis::Boundary::Work work_;
};

}  // namespace parley::gateway
