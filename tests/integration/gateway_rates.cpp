// What the gateway keeps of rates, beside a Redis, and one that refuses.
#include "gateway/rate_limit.hpp"

#include <algorithm>
#include <chrono>
#include "tests/integration/redis_loop.hpp"
#include "tests/support/process.hpp"
#include "tests/support/servers.hpp"

using namespace parley;
using namespace parley::redis_tests;
using support::RedisServer;

namespace {

// A policy of so many gateways beside a Redis, which is not connected to yet.
class Bed {
 public:
  Bed(gateway::Rate rate, const std::string& url, int gateways = 1) {
    const auto name = model::new_uuid().text();
    for (int i = 0; i < gateways; ++i) {
      redis_.push_back(std::make_unique<redis::Client>(process_.context().get_executor(), redis::Settings{.url = url}));
      policies_.push_back(std::make_unique<gateway::RatePolicy>(process_, *redis_.back(), name, rate, 1));
    }
  }
  ~Bed() {
    for (auto& redis : redis_) redis->close();
    static_cast<http::Loop&>(process_.context()).end();
  }

  void connect() {
    for (auto& redis : redis_) redis->open();
    until([&] { return std::ranges::all_of(redis_, [](const auto& redis) { return redis->up(); }); });
  }
  void until(const std::function<bool()>& condition) { turn_until(process_.context(), condition); }
  gateway::RateVerdict ask(const std::string& who, std::size_t gateway = 0) {
    return run(process_.context(), policies_[gateway]->take(who));
  }
  bool take(const std::string& who) { return ask(who).allowed; }
  // So many, one after the other: how many were let through.
  int take(const std::string& who, int times) {
    int allowed = 0;
    for (int i = 0; i < times; ++i) allowed += take(who);
    return allowed;
  }
  // All at once, at one gateway after the other, by somebody else each time.
  int take_at_once(int times, const std::function<std::string(int)>& who) {
    int running = 0, allowed = 0;
    for (int i = 0; i < times; ++i) {
      launch(process_.context(), running,
             count(*policies_[static_cast<std::size_t>(i) % policies_.size()], who(i), allowed));
      process_.context().poll_one();  // leases come between requests
    }
    until([&] { return running == 0; });
    return allowed;
  }
  bool decided(const std::string& decision, const std::string& who) {
    const auto before = counted(decision);
    take(who);
    return counted(decision) > before;
  }

 private:
  static awaitable<void> count(gateway::RatePolicy& policy, std::string who, int& allowed) {
    const auto verdict = co_await policy.take(std::move(who));
    allowed += verdict.allowed;
  }
  double counted(const std::string& decision) {
    const auto text = process_.metrics().scrape();
    const auto at = text.find("ratelimit_decisions_total{decision=\"" + decision + "\"");
    REQUIRE(at != text.npos);
    return std::stod(text.substr(text.find("} ", at) + 2));
  }

  chassis::Process process_{support::process_settings("gateway")};
  std::vector<std::unique_ptr<redis::Client>> redis_;
  std::vector<std::unique_ptr<gateway::RatePolicy>> policies_;
};

const auto hasty = [](int) { return std::string("hasty"); };

}  // namespace

TEST_SUITE("integration: gateway rates") {
  TEST_CASE("more callers than there is room for share what Redis gives to one") {
    RedisServer server;
    Bed bed({.a_second = 20, .burst = 40}, server.url());
    const auto known = [](int i) { return "known " + std::to_string(i); };
    REQUIRE_EQ(bed.take_at_once(99'999, known), 99'999);
    bed.connect();
    const auto newcomer = [](int i) { return "newcomer " + std::to_string(i); };
    const int allowed = bed.take_at_once(10'000, newcomer);
    CHECK_GE(allowed, 40);    // one burst
    CHECK_LT(allowed, 1000);  // and not one each
  }

  TEST_CASE("a Redis that is connected but refuses, or answers what is no number, is as good as none") {
    RedisServer server;
    Bed bed({}, server.url());  // the default rate
    bed.connect();
    const std::vector<std::array<std::string, 3>> faults{
        {"full", "CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"},
        {"no replicas", "CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0"},
        {"read-only", "REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"},
        {"not for us", "ACL SETUSER default -eval", "ACL SETUSER default +@all"},
        {"not for us within the script", "ACL SETUSER default -hset", "ACL SETUSER default +@all"},
    };
    for (const auto& [name, ruin, mend] : faults) {
      INFO(name);
      REQUIRE_EQ(bed.take("known " + name, 200), 200);
      server.command(ruin);
      // Of a burst of 2000; a tenth of a second's rate each would get who has no lease.
      CHECK_EQ(bed.take("newcomer " + name, 1000), 1000);
      int known = 0;  // who used up what was leased goes on at the gateway's own share
      bed.until([&] { return (known += bed.take("known " + name, 100)) >= 400; });
      CHECK(bed.decided("degraded", "known " + name));
      server.command(mend);
      bed.until([&] { return bed.decided("allow", "known " + name); });
    }
  }

  TEST_CASE("who sends all of a burst at once gets it, however few tokens a lease brings") {
    RedisServer server;
    Bed bed({.a_second = 1, .burst = 40}, server.url());
    bed.connect();
    const int allowed = bed.take_at_once(200, hasty);
    CHECK_GE(allowed, 40);
    CHECK_LT(allowed, 200);
  }

  TEST_CASE("a new key has its burst at once, at one gateway, at two that share it, and without Redis") {
    RedisServer server;
    for (const int gateways : {1, 2}) {
      INFO(gateways);
      Bed bed({.a_second = 1000, .burst = 2000}, server.url(), gateways);
      bed.connect();
      CHECK_EQ(bed.take_at_once(1000, hasty), 1000);
      // No gateway keeps from another what it needs; each may have leased a few tokens ahead.
      CHECK_EQ(bed.take_at_once(980, hasty), 980);
    }
    Bed alone({.a_second = 1000, .burst = 2000}, "redis://127.0.0.1:1");
    CHECK_EQ(alone.take_at_once(1000, hasty), 1000);
  }

  TEST_CASE("what is told is what is left of all, within a lease, wherever it was taken") {
    RedisServer server;
    constexpr std::int64_t kRate = 10, kBurst = 2000, kLease = std::max<std::int64_t>(1, kRate / 10);
    Bed bed({.a_second = kRate, .burst = kBurst}, server.url(), 2);
    bed.connect();
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t taken = 1; taken <= 300; ++taken) {
      const auto verdict = bed.ask("steady", static_cast<std::size_t>(taken % 2));
      INFO(taken << " taken, " << verdict.remaining << " told");
      REQUIRE(verdict.allowed);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      const auto inflow = static_cast<std::int64_t>(elapsed.count() * kRate) + 1;
      CHECK_GE(verdict.remaining, kBurst - taken - 2 * kLease);
      CHECK_LE(verdict.remaining, std::min(kBurst - 1, kBurst - taken + inflow + 2 * kLease));
    }
  }

  TEST_CASE("all gateways together let through no more than a burst and what flows in") {
    RedisServer server;
    constexpr int kRate = 200, kBurst = 300;
    Bed bed({.a_second = kRate, .burst = kBurst}, server.url(), 3);
    bed.connect();
    const auto start = std::chrono::steady_clock::now();
    int allowed = 0, refused = 0;
    while (allowed < 2 * kBurst) {
      const int now = bed.take_at_once(20, hasty);
      allowed += now;
      refused += 20 - now;
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    CHECK_LE(allowed, kBurst + elapsed.count() * kRate + 1);
    CHECK_GT(refused, 0);
  }
}
