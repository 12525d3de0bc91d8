#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/async/waiter.hpp"
#include "common/chassis/process.hpp"
#include "common/http/deadline.hpp"
#include "common/redis/client.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

struct Rate {
  std::int64_t a_second = 1000;  // requests, over all gateways
  std::int64_t burst = 2000;
};

struct RateSettings {
  Rate key;                              // of a credential
  Rate address{2000, 4000};              // of a client's address, whatever credentials it uses
  std::int64_t replicas = 1;             // how many gateways share the rates while Redis is away
  std::int64_t failures_a_minute = 600;  // refused credentials, or webhooks, an address; each gateway for itself

  static RateSettings read(chassis::Environment& environment);
};

// What is left of a rate, for the RateLimit fields.
struct RateVerdict {
  bool allowed = true;
  std::int64_t remaining = 0;
};

// One policy: a bucket of tokens for each of those it limits. Tokens of a shared bucket in Redis are leased some ahead
// of need, so that a request only takes from what is here, and waits for a lease only where nothing is left. When Redis
// is away, or refuses what it is asked, each gateway fills its own buckets at its share of the rate.
class RatePolicy {
 public:
  // `name` is the policy's in Redis, metrics and RateLimit fields.
  RatePolicy(chassis::Process& process, redis::Client& redis, std::string name, Rate rate, std::int64_t replicas);

  // Takes one token of `who`, and waits at most for two leases, each no longer than the Redis client's deadline.
  awaitable<RateVerdict> take(std::string who);

  // draft-ietf-httpapi-ratelimit-headers-10: this policy's item of RateLimit-Policy, and of RateLimit.
  const std::string& description() const { return description_; }
  void append_to(std::string& out, const RateVerdict& verdict) const;

 private:
  struct Bucket {
    double tokens = 0;                 // leased from Redis
    double local = 0;                  // what is left of the gateway's own share; all that was let through is taken off
    http::Clock::time_point used;      // when `local` was as it says
    bool leasing = false;              // a lease is under way
    bool refused = false;              // the last one brought no tokens nor said that there are none: the share holds
    http::Clock::time_point retry_at;  // when to ask for another after that
    std::size_t unserved = 0;          // requests that wait for a lease, or were woken by one and took nothing yet
    std::vector<async::Waiter<>> waiters;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  // Named by whom they limit; the one named "" is shared.
  using Buckets = std::unordered_map<std::string, Bucket, Hash, std::equal_to<>>;
  Buckets::value_type& bucket_of(std::string_view who);
  bool fill(const std::string& key, Bucket& bucket);
  RateVerdict take_from(Bucket& bucket, bool is_local);
  void lease(const std::string& key, Bucket& bucket);
  awaitable<void> finish_lease(Bucket& bucket, redis::Pending pending);
  void forget_unused(http::Clock::time_point now);

  chassis::Process& process_;
  redis::Client& redis_;
  std::string name_, description_;
  Rate rate_;
  double share_, most_;  // of one gateway: tokens a second, and at once
  Buckets buckets_;
  http::Clock::time_point forget_at_{};
  prometheus::Counter &allowed_, &denied_, &degraded_;
};

// What was refused, credentials or webhooks, counted by the address that sent them.
class AuthFailureLimiter {
 public:
  explicit AuthFailureLimiter(std::int64_t a_minute) : a_minute_(a_minute) {}
  // Notes one; false when there were too many in this minute.
  bool may_fail(std::string_view address);
  // Whether there were as many as there may be, so that the next would be one too many.
  bool is_over(std::string_view address);
  // What came from there was not refused. For an hour, at least, it is never over: who sends for many, as the channel
  // does, sends for strangers too.
  void let_through(std::string_view address);

 private:
  void begin_anew();
  bool is_trusted(const std::string& address) const;
  std::int64_t a_minute_;
  std::unordered_map<std::string, std::int64_t> counts_;
  http::Clock::time_point until_{};
  std::unordered_map<std::string, http::Clock::time_point> trusted_;  // until when
};

}  // namespace parley::gateway
