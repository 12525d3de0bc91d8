#include "gateway/rate_limit.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace parley::gateway {

using namespace std::chrono_literals;

namespace {

// Takes up to ARGV[3] tokens from a bucket that fills by ARGV[1] per second up to ARGV[2]; returns the number taken.
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

constexpr std::size_t kMaxBuckets = 100'000;
constexpr auto kTrust = 1h;  // in addresses whose requests were accepted
constexpr std::size_t kMaxTrusted = 10'000;
constexpr auto kLeaseRetry = 100ms;

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

awaitable<RateVerdict> RatePolicy::take(std::string who) {
  auto& [key, bucket] = bucket_of(who);
  // The first lease may predate some waiting requests; the second covers all of them.
  for (int waits = 0;; ++waits) {
    const bool is_local = fill(key, bucket);
    const bool may_wait = waits < 2 && bucket.unserved < static_cast<std::size_t>(rate_.burst);
    if (bucket.tokens >= 1 || is_local || !bucket.leasing || !may_wait) co_return take_from(bucket, is_local);
    ++bucket.unserved;
    co_await async::sleep_until_called([&](async::Waiter<> waiter) { bucket.waiters.push_back(std::move(waiter)); });
    --bucket.unserved;
  }
}

RatePolicy::Buckets::value_type& RatePolicy::bucket_of(std::string_view who) {
  forget_unused(http::Clock::now());
  if (const auto known = buckets_.find(who); known != buckets_.end()) return *known;
  // The number of buckets is bounded; beyond the bound new clients share one bucket.
  const bool is_room = buckets_.size() + 1 < kMaxBuckets;
  const auto [entry, is_new] = buckets_.try_emplace(is_room ? std::string(who) : std::string());
  if (is_new) {
    entry->second.tokens = std::max(1.0, share_ / 10);  // until the first lease arrives: a tenth of a second's tokens
    entry->second.local = most_;
  }
  return *entry;
}

// Updates the gateway's local share, and requests a lease from Redis if needed. Returns whether the local share
// applies.
bool RatePolicy::fill(const std::string& key, Bucket& bucket) {
  const auto now = http::Clock::now();
  const double elapsed = std::chrono::duration<double>(now - bucket.used).count();
  bucket.local = std::min(most_, bucket.local + elapsed * share_);
  bucket.used = now;
  const bool is_due = bucket.refused ? now >= bucket.retry_at : bucket.tokens < share_ / 20 + 1;
  if (redis_.up() && !bucket.leasing && is_due) lease(key, bucket);
  return !redis_.up() || bucket.refused;
}

RateVerdict RatePolicy::take_from(Bucket& bucket, bool is_local) {
  double& left = is_local ? bucket.local : bucket.tokens;
  RateVerdict verdict;
  verdict.allowed = left >= 1;
  if (verdict.allowed) {
    left -= 1;
    if (!is_local) bucket.local = std::max(0.0, bucket.local - 1);
  }
  verdict.remaining = static_cast<std::int64_t>(left);
  (!verdict.allowed ? denied_ : is_local ? degraded_ : allowed_).Increment();
  return verdict;
}

void RatePolicy::lease(const std::string& key, Bucket& bucket) {
  bucket.leasing = true;
  const auto want = std::max<std::int64_t>(1, rate_.a_second / 10) + static_cast<std::int64_t>(bucket.unserved);
  auto pending = redis_.start({"EVAL", kLease, "1", "parley:rate:" + name_ + ':' + key, std::to_string(rate_.a_second),
                               std::to_string(rate_.burst), std::to_string(want)});
  process_.spawn("rate lease", finish_lease(bucket, std::move(pending)));
}

// Any reply but a number of tokens is no lease (Redis is away, full, read-only or refuses): the local share applies
// until a lease succeeds.
awaitable<void> RatePolicy::finish_lease(Bucket& bucket, redis::Pending pending) {
  const auto reply = co_await pending.get();
  bucket.leasing = false;
  bucket.refused = reply.kind != redis::Reply::Kind::integer;
  if (bucket.refused)
    bucket.retry_at = http::Clock::now() + kLeaseRetry;
  else
    bucket.tokens += static_cast<double>(reply.integer);
  for (auto& waiter : std::exchange(bucket.waiters, {}))
    boost::asio::post(process_.context(), [waiter = std::move(waiter)]() mutable { waiter(); });
}

void RatePolicy::forget_unused(http::Clock::time_point now) {
  if (now < forget_at_) return;
  std::erase_if(buckets_, [&](const auto& entry) {
    const auto& bucket = entry.second;
    return !bucket.leasing && bucket.unserved == 0 && now - bucket.used > 60s;
  });
  forget_at_ = now + (buckets_.size() < kMaxBuckets ? 10s : 1s);
}

void AuthFailureLimiter::begin_anew() {
  const auto now = http::Clock::now();
  if (now < until_) return;
  counts_.clear();
  until_ = now + 60s;
}

bool AuthFailureLimiter::is_over(std::string_view address) {
  begin_anew();
  const auto found = counts_.find(std::string(address));
  return found != counts_.end() && found->second >= a_minute_ && !is_trusted(found->first);
}

bool AuthFailureLimiter::is_trusted(const std::string& address) const {
  const auto found = trusted_.find(address);
  return found != trusted_.end() && found->second > http::Clock::now();
}

void AuthFailureLimiter::let_through(std::string_view address) {
  const auto now = http::Clock::now();
  std::string key(address);
  if (const auto known = trusted_.find(key); known != trusted_.end()) {
    known->second = now + kTrust;
    return;
  }
  if (trusted_.size() >= kMaxTrusted) std::erase_if(trusted_, [now](const auto& each) { return each.second <= now; });
  if (trusted_.size() < kMaxTrusted) trusted_.emplace(std::move(key), now + kTrust);
}

bool AuthFailureLimiter::may_fail(std::string_view address) {
  begin_anew();
  if (counts_.size() >= kMaxBuckets) return false;
  return ++counts_[std::string(address)] <= a_minute_;
}

}  // namespace parley::gateway
