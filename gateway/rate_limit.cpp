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

Rate read_rate(chassis::Environment& environment, const std::string& suffix, Rate rate) {
  rate.a_second = environment.number("PARLEY_RATE_LIMIT" + suffix, rate.a_second, 1, 10'000'000);
  rate.burst = environment.number("PARLEY_RATE_BURST" + suffix, rate.a_second * 2, 1, 20'000'000);
  return rate;
}

prometheus::Counter& decisions(chassis::Process& process, const std::string& policy, const std::string& decision) {
  return process.metrics()
      .counters(
          "ratelimit_decisions_total",
          "Requests let through or refused by rate; degraded: let through by this gateway's own share, without Redis")
      .Add({{"policy", policy}, {"decision", decision}});
}

}  // namespace

RateSettings RateSettings::read(chassis::Environment& environment) {
  RateSettings out;
  out.key = read_rate(environment, "", out.key);
  out.address = read_rate(environment, "_ADDRESS", {out.key.a_second * 2, out.key.burst * 2});
  out.replicas = environment.number("PARLEY_RATE_REPLICAS", out.replicas, 1, 1000);
  out.failures_a_minute = environment.number("PARLEY_RATE_FAILURES", out.failures_a_minute, 1, 1'000'000);
  return out;
}

RatePolicy::RatePolicy(chassis::Process& process, redis::Client& redis, std::string name, Rate rate,
                       std::int64_t replicas)
    : process_(process),
      redis_(redis),
      name_(std::move(name)),
      rate_(rate),
      share_(static_cast<double>(rate.a_second) / static_cast<double>(replicas)),
      most_(std::max(1.0, static_cast<double>(rate.burst) / static_cast<double>(replicas))),
      allowed_(decisions(process, name_, "allow")),
      denied_(decisions(process, name_, "deny")),
      degraded_(decisions(process, name_, "degraded")) {
  description_ = '"' + name_ + "\";q=" + std::to_string(rate.burst) +
                 ";w=" + std::to_string(std::max<std::int64_t>(1, rate.burst / rate.a_second));
}

void RatePolicy::append_to(std::string& out, const RateVerdict& verdict) const {
  out.append("\"").append(name_).append("\";r=").append(std::to_string(verdict.remaining)).append(";t=1");
}

RateVerdict RatePolicy::take(std::string_view who) {
  const auto now = http::Clock::now();
  forget_unused(now);
  auto& [key, bucket] = bucket_of(who, now);
  bucket.used = now;
  if (!redis_.up()) {
    if (bucket.leased) bucket.filled = now;
    bucket.leased = false;
    const double elapsed = std::chrono::duration<double>(now - bucket.filled).count();
    bucket.tokens = std::min(most_, bucket.tokens + elapsed * share_);
    bucket.filled = now;
  } else if (!bucket.leasing && bucket.tokens < share_ / 20 + 1) {
    lease(key, bucket);
  }
  RateVerdict verdict;
  verdict.allowed = bucket.tokens >= 1;
  if (verdict.allowed) bucket.tokens -= 1;
  verdict.remaining = static_cast<std::int64_t>(bucket.tokens);
  (!verdict.allowed ? denied_ : redis_.up() ? allowed_ : degraded_).Increment();
  return verdict;
}

RatePolicy::Buckets::value_type& RatePolicy::bucket_of(std::string_view who, http::Clock::time_point now) {
  if (const auto known = buckets_.find(who); known != buckets_.end()) return *known;
  // There is no room for any number of strangers: beyond it the newcomers share one bucket.
  const bool is_room = buckets_.size() + 1 < kMostBuckets;
  const auto [entry, is_new] = buckets_.try_emplace(is_room ? std::string(who) : std::string());
  if (is_new) {
    entry->second.tokens = std::max(1.0, share_ / 10);  // until the first lease came: a tenth of a second's worth
    entry->second.filled = now;
  }
  return *entry;
}

void RatePolicy::lease(const std::string& key, Bucket& bucket) {
  bucket.leasing = true;
  const auto want = std::max<std::int64_t>(1, rate_.a_second / 10);
  auto pending = redis_.start({"EVAL", kLease, "1", "parley:rate:" + name_ + ':' + key, std::to_string(rate_.a_second),
                               std::to_string(rate_.burst), std::to_string(want)});
  process_.spawn("rate lease", finish_lease(key, std::move(pending)));
}

awaitable<void> RatePolicy::finish_lease(std::string key, redis::Pending pending) {
  const auto reply = co_await pending.get();
  const auto bucket = buckets_.find(key);
  if (bucket == buckets_.end()) co_return;
  bucket->second.leasing = false;
  if (reply.kind != redis::Reply::Kind::integer) co_return;
  bucket->second.leased = true;
  bucket->second.tokens += static_cast<double>(reply.integer);
}

void RatePolicy::forget_unused(http::Clock::time_point now) {
  if (now < forget_at_) return;
  std::erase_if(buckets_, [&](const auto& entry) { return !entry.second.leasing && now - entry.second.used > 60s; });
  forget_at_ = now + (buckets_.size() < kMostBuckets ? 10s : 1s);
}

bool Refusals::may_fail(std::string_view address) {
  const auto now = http::Clock::now();
  if (now >= until_) {
    counts_.clear();
    until_ = now + 60s;
  }
  if (counts_.size() >= kMostBuckets) return false;
  return ++counts_[std::string(address)] <= a_minute_;
}

}  // namespace parley::gateway
