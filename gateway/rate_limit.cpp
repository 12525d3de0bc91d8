#include "gateway/rate_limit.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace parley::gateway {

using namespace std::chrono_literals;

namespace {

// On a bucket that fills by ARGV[1] per second up to ARGV[2]: takes ARGV[3] tokens, or all if there are fewer, and
// ahead of need up to ARGV[4] more, but no more than a fiftieth of the rest: other gateways need what a bucket still
// has when it is nearly empty. Returns the number taken and the number left.
constexpr std::string_view kLease =
    "local now = redis.call('TIME') "
    "local t = now[1] + now[2] / 1000000 "
    "local rate, burst, need, ahead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]) "
    "local b = redis.call('HMGET', KEYS[1], 'tokens', 'at') "
    "local tokens = math.min(burst, (tonumber(b[1]) or burst) + math.max(0, t - (tonumber(b[2]) or t)) * rate) "
    "local take = math.min(need, math.floor(tokens)) "
    "take = take + math.min(ahead, math.floor((tokens - take) / 50)) "
    "redis.call('HSET', KEYS[1], 'tokens', string.format('%.9f', tokens - take), 'at', string.format('%.6f', t)) "
    "redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 1000) "
    "return {take, math.floor(tokens - take)}";

constexpr std::size_t kMaxBuckets = 100'000;
constexpr auto kTrust = 1h;  // in addresses whose requests were accepted
constexpr std::size_t kMaxTrusted = 10'000;
constexpr auto kLeaseRetry = 100ms;
// What a lease brings ahead of need should last about this long; what a lease told is asked again after it.
constexpr auto kLeaseTime = 500ms;

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
  const auto now = http::Clock::now();
  const bool is_local = fill(bucket, now);
  if (is_local || (bucket.tokens >= 1 && bucket.waiters.empty())) {
    const auto verdict = take_from(bucket, is_local);
    if (is_due(bucket, now)) lease(key, bucket, now);
    co_return verdict;
  }
  if (bucket.waiters.size() >= static_cast<std::size_t>(rate_.burst)) co_return refuse();
  co_return co_await async::sleep_until_called<RateVerdict>(
      [this, &key, &bucket, now](async::Waiter<RateVerdict> waiter) {
        bucket.waiters.push_back(std::move(waiter));
        if (!bucket.leasing) lease(key, bucket, now);
      });
}

RatePolicy::Buckets::value_type& RatePolicy::bucket_of(std::string_view who) {
  forget_unused(http::Clock::now());
  if (const auto known = buckets_.find(who); known != buckets_.end()) return *known;
  // The number of buckets is bounded; beyond the bound new clients share one bucket.
  const bool is_room = buckets_.size() + 1 < kMaxBuckets;
  const auto [entry, is_new] = buckets_.try_emplace(is_room ? std::string(who) : std::string());
  if (is_new) entry->second.local = most_;
  return *entry;
}

// Updates the gateway's local share. Returns whether it applies: without Redis, or if the last lease failed.
bool RatePolicy::fill(Bucket& bucket, http::Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - bucket.used).count();
  bucket.local = std::min(most_, bucket.local + elapsed * share_);
  bucket.used = now;
  return !redis_.up() || bucket.refused;
}

// Whether to ask Redis although no request waits for it: tokens run low, or what it told of the bucket is old.
bool RatePolicy::is_due(const Bucket& bucket, http::Clock::time_point now) const {
  if (bucket.leasing || !redis_.up()) return false;
  if (bucket.refused) return now >= bucket.retry_at;
  return bucket.tokens < bucket.low || now - bucket.leased_at >= kLeaseTime;
}

RateVerdict RatePolicy::take_from(Bucket& bucket, bool is_local) {
  double& left = is_local ? bucket.local : bucket.tokens;
  if (left < 1) return refuse();
  left -= 1;
  if (!is_local) bucket.local = std::max(0.0, bucket.local - 1);
  (is_local ? degraded_ : allowed_).Increment();
  return {true, is_local ? static_cast<std::int64_t>(left) : left_of(bucket)};
}

RateVerdict RatePolicy::refuse() {
  denied_.Increment();
  return {false, 0};
}

// What was left of the shared bucket at the last lease, what has flowed in since, and what is leased here. The tokens
// that others leased meanwhile are not known. Right after a request a bucket is never full.
std::int64_t RatePolicy::left_of(const Bucket& bucket) const {
  const double elapsed = std::chrono::duration<double>(bucket.used - bucket.leased_at).count();
  const double inflow = std::max(0.0, elapsed) * static_cast<double>(rate_.a_second);
  const double left = std::min(static_cast<double>(rate_.burst), bucket.shared + inflow) + bucket.tokens;
  return std::min(static_cast<std::int64_t>(left), rate_.burst - 1);
}

// What is leased ahead doubles while leases follow each other quickly, and is one token for who asks seldom.
void RatePolicy::lease(const std::string& key, Bucket& bucket, http::Clock::time_point now) {
  bucket.leasing = true;
  const auto most = std::max<std::int64_t>(1, rate_.a_second / 10);
  const auto since = now - bucket.leased_at;
  if (since < kLeaseTime / 2)
    bucket.ahead = std::min(most, bucket.ahead * 2);
  else if (since >= kLeaseTime * 2)
    bucket.ahead = 1;
  bucket.leased_at = now;
  const auto ahead = std::max(std::int64_t{0}, bucket.ahead - static_cast<std::int64_t>(bucket.tokens));
  auto pending =
      redis_.start({"EVAL", kLease, "1", "parley:rate:" + name_ + ':' + key, std::to_string(rate_.a_second),
                    std::to_string(rate_.burst), std::to_string(bucket.waiters.size()), std::to_string(ahead)});
  process_.spawn("rate lease", finish_lease(key, bucket, std::move(pending)));
}

// Any reply but two numbers is no lease (Redis is away, full, read-only or refuses): the local share applies until a
// lease succeeds.
awaitable<void> RatePolicy::finish_lease(const std::string& key, Bucket& bucket, redis::Pending pending) {
  using Kind = redis::Reply::Kind;
  const auto reply = co_await pending.get();
  const auto now = http::Clock::now();
  bucket.leasing = false;
  bucket.refused = reply.kind != Kind::array || reply.items.size() != 2 || reply.items[0].kind != Kind::integer ||
                   reply.items[1].kind != Kind::integer;
  if (bucket.refused) {
    bucket.retry_at = now + kLeaseRetry;
  } else {
    bucket.tokens += static_cast<double>(reply.items[0].integer);
    bucket.shared = static_cast<double>(reply.items[1].integer);
  }
  const bool is_local = fill(bucket, now);
  const bool is_empty = is_local || bucket.shared < 1;
  // Who began to wait after this lease was asked for waits for the next, unless the bucket is empty.
  auto waiters = std::exchange(bucket.waiters, {});
  for (auto& waiter : waiters) {
    if (!is_empty && bucket.tokens < 1) {
      bucket.waiters.push_back(std::move(waiter));
      continue;
    }
    boost::asio::post(process_.context(), [waiter = std::move(waiter),
                                           verdict = take_from(bucket, is_local)]() mutable { waiter(verdict); });
  }
  bucket.low = bucket.tokens / 2;
  if (!bucket.waiters.empty()) lease(key, bucket, now);
}

void RatePolicy::forget_unused(http::Clock::time_point now) {
  if (now < forget_at_) return;
  std::erase_if(buckets_, [&](const auto& entry) {
    const auto& bucket = entry.second;
    return !bucket.leasing && bucket.waiters.empty() && now - bucket.used > 60s;
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
