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
  Rate key;                              // per credential
  Rate address{2000, 4000};              // per client address, whatever credentials it uses
  std::int64_t replicas = 1;             // gateways that share the rates while Redis is away
  std::int64_t failures_a_minute = 600;  // refused credentials or webhooks per address, counted by each gateway alone

  static RateSettings read(chassis::Environment& environment);
};

// The rest of a rate, for the RateLimit fields.
struct RateVerdict {
  bool allowed = true;
  std::int64_t remaining = 0;
};

// One policy: a token bucket per client, shared by all gateways in Redis. Tokens are leased ahead of need, so that most
// requests take local ones; those that find none wait for a lease, in order, and are refused only when the shared
// bucket is empty. If Redis is away or refuses, each gateway fills its own buckets at its share of the rate.
class RatePolicy {
 public:
  // `name` identifies the policy in Redis, metrics and RateLimit fields.
  RatePolicy(chassis::Process& process, redis::Client& redis, std::string name, Rate rate, std::int64_t replicas);

  // Takes one token of `who`; waits for at most two leases, each within the Redis client's deadline. At most a burst of
  // requests waits; further ones are refused.
  awaitable<RateVerdict> take(std::string who);

  // draft-ietf-httpapi-ratelimit-headers-10: this policy's items of RateLimit-Policy and RateLimit.
  const std::string& description() const { return description_; }
  void append_to(std::string& out, const RateVerdict& verdict) const;

 private:
  struct Bucket {
    double tokens = 0;                                // leased from Redis
    double low = 0;                                   // fewer tokens than this: time for another lease
    double shared = 0;                                // left in Redis after the last lease
    std::int64_t ahead = 1;                           // tokens to lease ahead of need
    http::Clock::time_point leased_at;                // when the last lease was requested
    double local = 0;                                 // the rest of the local share; every allowed request is deducted
    http::Clock::time_point used;                     // when `local` was last updated
    bool leasing = false;                             // a lease is in flight
    bool refused = false;                             // the last lease failed: the local share applies
    http::Clock::time_point retry_at;                 // when to request the next lease after a failure
    std::vector<async::Waiter<RateVerdict>> waiters;  // requests that found no token
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  // By client; the bucket named "" is shared.
  using Buckets = std::unordered_map<std::string, Bucket, Hash, std::equal_to<>>;
  Buckets::value_type& bucket_of(std::string_view who);
  bool fill(Bucket& bucket, http::Clock::time_point now);
  bool is_due(const Bucket& bucket, http::Clock::time_point now) const;
  RateVerdict take_from(Bucket& bucket, bool is_local);
  RateVerdict refuse();
  std::int64_t left_of(const Bucket& bucket) const;
  void lease(const std::string& key, Bucket& bucket, http::Clock::time_point now);
  awaitable<void> finish_lease(const std::string& key, Bucket& bucket, redis::Pending pending);
  void forget_unused(http::Clock::time_point now);

  chassis::Process& process_;
  redis::Client& redis_;
  std::string name_, description_;
  Rate rate_;
  double share_, most_;  // of one gateway: tokens per second, and maximum
  Buckets buckets_;
  http::Clock::time_point forget_at_{};
  prometheus::Counter &allowed_, &denied_, &degraded_;
};

// Counts refused credentials or webhooks by client address.
class AuthFailureLimiter {
 public:
  explicit AuthFailureLimiter(std::int64_t a_minute) : a_minute_(a_minute) {}
  // Counts a refusal; returns false if there were too many in this minute.
  bool may_fail(std::string_view address);
  // Whether the limit is reached, so that another refusal would exceed it.
  bool is_over(std::string_view address);
  // Records an accepted request: for at least an hour the address is never over the limit, as a sender for many, such
  // as the channel, also sends requests that are refused.
  void let_through(std::string_view address);

 private:
  void begin_anew();
  bool is_trusted(const std::string& address) const;
  std::int64_t a_minute_;
  std::unordered_map<std::string, std::int64_t> counts_;
  http::Clock::time_point until_{};
  std::unordered_map<std::string, http::Clock::time_point> trusted_;  // the end of the trust
};

}  // namespace parley::gateway
