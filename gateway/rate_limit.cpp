#include "gateway/rate_limit.hpp"

#include <algorithm>

namespace parley::gateway {

using namespace std::chrono_literals;

namespace {

// Takes up to ARGV[3] tokens out of a bucket that fills by ARGV[1] a second up to ARGV[2]; gives how many it took.
constexpr std::string_view kLease =
    "local now = redis.call('TIME') "
    "local t = now[1] + now[2] / 1000000 "
    "local rate, burst, want = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]) "
    "local b = redis.call('HMGET', KEYS[1], 'tokens', 'at') "
    "local tokens = math.min(burst, (tonumber(b[1]) or burst) + math.max(0, t - (tonumber(b[2]) or t)) * rate) "
    "local take = math.min(want, math.floor(tokens)) "
    "redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - take), 'at', tostring(t)) "
    "redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 1000) "
    "return take";

constexpr std::size_t kMostBuckets = 100'000;

}  // namespace

RateSettings RateSettings::read(chassis::Environment& environment) {
  RateSettings out;
  out.a_second = environment.number("PARLEY_RATE_LIMIT", out.a_second, 1, 10'000'000);
  out.burst = environment.number("PARLEY_RATE_BURST", out.a_second * 2, 1, 20'000'000);
  out.replicas = environment.number("PARLEY_RATE_REPLICAS", out.replicas, 1, 1000);
  out.failures_a_minute = environment.number("PARLEY_RATE_FAILURES", out.failures_a_minute, 1, 1'000'000);
  return out;
}

RateLimit::RateLimit(chassis::Process& process, redis::Client& redis, RateSettings settings)
    : process_(process),
      redis_(redis),
      settings_(settings),
      decisions_(process.metrics().counters("ratelimit_decisions_total", "Requests let through or refused by rate")),
      allowed_(decisions_.Add({{"policy", "key"}, {"decision", "allow"}})),
      denied_(decisions_.Add({{"policy", "key"}, {"decision", "deny"}})),
      degraded_(decisions_.Add({{"policy", "key"}, {"decision", "degraded"}})) {}

RateVerdict RateLimit::take(std::string_view credential) {
  forget_unused();
  const auto now = http::Clock::now();
  auto [place, fresh] = buckets_.try_emplace(std::string(credential));
  Bucket& bucket = place->second;
  bucket.used = now;
  const double share = static_cast<double>(settings_.a_second) / static_cast<double>(settings_.replicas);
  const double most = std::max(1.0, static_cast<double>(settings_.burst) / static_cast<double>(settings_.replicas));
  if (fresh) {  // until the first lease came: a tenth of a second's worth
    bucket.tokens = std::max(1.0, share / 10);
    bucket.filled = now;
  }
  if (!redis_.up()) {
    if (bucket.leased) bucket.filled = now;
    bucket.leased = false;
    const double elapsed = std::chrono::duration<double>(now - bucket.filled).count();
    bucket.tokens = std::min(most, bucket.tokens + elapsed * share);
    bucket.filled = now;
    degraded_.Increment();
  } else if (!bucket.leasing && bucket.tokens < share / 20 + 1) {
    lease(place->first, bucket);
  }
  RateVerdict verdict;
  verdict.allowed = bucket.tokens >= 1;
  if (verdict.allowed) bucket.tokens -= 1;
  verdict.remaining = static_cast<std::int64_t>(bucket.tokens);
  (verdict.allowed ? allowed_ : denied_).Increment();
  return verdict;
}

void RateLimit::lease(std::string credential, Bucket& bucket) {
  bucket.leasing = true;
  const auto want = std::max<std::int64_t>(1, settings_.a_second / 10);
  auto pending = redis_.start({"EVAL", kLease, "1", "parley:rate:" + credential, std::to_string(settings_.a_second),
                               std::to_string(settings_.burst), std::to_string(want)});
  process_.spawn("rate lease", finish_lease(std::move(credential), std::move(pending)));
}

awaitable<void> RateLimit::finish_lease(std::string credential, redis::Pending pending) {
  const auto reply = co_await pending.get();
  const auto bucket = buckets_.find(credential);
  if (bucket == buckets_.end()) co_return;
  bucket->second.leasing = false;
  if (reply.kind != redis::Reply::Kind::integer) co_return;
  bucket->second.leased = true;
  bucket->second.tokens += static_cast<double>(reply.integer);
}

bool RateLimit::may_fail(std::string_view address) {
  const auto now = http::Clock::now();
  if (now >= failures_until_) {
    failures_.clear();
    failures_until_ = now + 60s;
  }
  if (failures_.size() >= kMostBuckets) return false;
  return ++failures_[std::string(address)] <= settings_.failures_a_minute;
}

void RateLimit::forget_unused() {
  const auto now = http::Clock::now();
  if (now < forget_at_ && buckets_.size() < kMostBuckets) return;
  forget_at_ = now + 10s;
  std::erase_if(buckets_, [&](const auto& entry) { return !entry.second.leasing && now - entry.second.used > 60s; });
}

}  // namespace parley::gateway
