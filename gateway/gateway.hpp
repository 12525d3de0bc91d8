#pragma once
#include "common/chassis/process.hpp"
#include "common/redis/client.hpp"
#include "gateway/authentication.hpp"
#include "gateway/proxy.hpp"
#include "gateway/rate_limit.hpp"
#include "gateway/routes.hpp"

namespace parley::gateway {

struct Settings {
  redis::Settings redis;
  std::array<std::string, kServiceCount> urls;
  RateSettings rates;

  static Settings read(chassis::Environment& environment);
};

// What a request goes through: the route (what is not in the contract ends here), the caller, its rate, the service.
class Gateway final : public chassis::Application {
 public:
  Gateway(chassis::Process& process, const Settings& settings);

  void start() override { redis_.open(); }
  awaitable<void> stop() override {
    redis_.close();
    co_return;
  }

 private:
  awaitable<http::Response> work(http::Request& request, chassis::Scope& scope);
  void limit(http::Response& response, const RateVerdict& rate) const;

  chassis::Boundary& boundary_;
  redis::Client redis_;
  RateLimit rates_;
  chassis::Peer organizations_;
  Authentication authentication_;
  Routes routes_;
  Proxy proxy_;
  std::string rate_policy_;
  std::unique_ptr<chassis::RouteMetrics> document_metrics_;
  chassis::Boundary::Work work_;
};

}  // namespace parley::gateway
