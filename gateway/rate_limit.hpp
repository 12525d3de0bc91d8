#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <unordered_map>

#include "common/chassis/process.hpp"
#include "common/http/deadline.hpp"
#include "common/redis/client.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

struct RateSettings {
  std::int64_t a_second = 1000;  // requests a credential, over all gateways
  std::int64_t burst = 2000;
  std::int64_t replicas = 1;             // how many gateways share the limit while Redis is away
  std::int64_t failures_a_minute = 600;  // refused credentials an address, each gateway for itself

  static RateSettings read(chassis::Environment& environment);
};

// What is left of a credential's rate, for the RateLimit fields.
struct RateVerdict {
  bool allowed = true;
  std::int64_t remaining = 0;
  std::int64_t retry_after = 1;  // seconds
};

// Limits rates without waiting for anything. Tokens of a shared bucket in Redis are leased some ahead of need, so that
// a request only takes from what is here; when Redis is away each gateway fills its own bucket at its share of the
// rate.
class RateLimit {
 public:
  RateLimit(chassis::Process& process, redis::Client& redis, RateSettings settings);

  // Takes one token of a credential.
  RateVerdict take(std::string_view credential);
  // Notes a refused credential from an address; false when there were too many in this minute.
  bool may_fail(std::string_view address);
  const RateSettings& settings() const { return settings_; }

 private:
  struct Bucket {
    double tokens = 0;
    http::Clock::time_point filled;  // the last time of the local share
    bool leasing = false;            // a lease is under way
    bool leased = false;             // tokens come from Redis now
    http::Clock::time_point used;
  };
  void lease(std::string credential, Bucket& bucket);
  awaitable<void> finish_lease(std::string credential, redis::Pending pending);
  void forget_unused();

  chassis::Process& process_;
  redis::Client& redis_;
  RateSettings settings_;
  std::unordered_map<std::string, Bucket> buckets_;
  std::unordered_map<std::string, std::int64_t> failures_;
  http::Clock::time_point failures_until_{};
  http::Clock::time_point forget_at_{};
  prometheus::Family<prometheus::Counter>& decisions_;
  prometheus::Counter &allowed_, &denied_, &degraded_;
};

}  // namespace parley::gateway
