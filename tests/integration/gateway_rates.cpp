// What the gateway keeps of rates, beside a Redis, and one that refuses.
#include "gateway/rate_limit.hpp"
#include "tests/integration/redis_loop.hpp"
#include "tests/support/process.hpp"
#include "tests/support/servers.hpp"

using namespace parley;
using namespace parley::redis_tests;
using support::RedisServer;

namespace {

// A policy beside a Redis, which is not connected to yet.
class Bed {
 public:
  Bed(gateway::Rate rate, std::string url)
      : redis(process_.context().get_executor(), {.url = std::move(url)}),
        policy_(process_, redis, model::new_uuid().text(), rate, 1) {}
  ~Bed() {
    redis.close();
    static_cast<http::Loop&>(process_.context()).end();
  }

  void connect() {
    redis.open();
    until([&] { return redis.up(); });
  }
  void until(const std::function<bool()>& condition) { turn_until(process_.context(), condition); }
  bool take(const std::string& who) { return run(process_.context(), policy_.take(who)).allowed; }
  // So many, one after the other: how many were let through.
  int take(const std::string& who, int times) {
    int allowed = 0;
    for (int i = 0; i < times; ++i) allowed += take(who);
    return allowed;
  }
  // All at once, by somebody else each time.
  int take_at_once(int times, const std::function<std::string(int)>& who) {
    int running = 0, allowed = 0;
    for (int i = 0; i < times; ++i) launch(process_.context(), running, count(who(i), allowed));
    until([&] { return running == 0; });
    return allowed;
  }
  bool decided(const std::string& decision, const std::string& who) {
    const auto before = counted(decision);
    take(who);
    return counted(decision) > before;
  }

 private:
  awaitable<void> count(std::string who, int& allowed) {
    const auto verdict = co_await policy_.take(std::move(who));
    allowed += verdict.allowed;
  }
  double counted(const std::string& decision) {
    const auto text = process_.metrics().scrape();
    const auto at = text.find("ratelimit_decisions_total{decision=\"" + decision + "\"");
    REQUIRE(at != text.npos);
    return std::stod(text.substr(text.find("} ", at) + 2));
  }

  chassis::Process process_{support::process_settings("gateway")};

 public:
  redis::Client redis;

 private:
  gateway::RatePolicy policy_;
};

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
    const int allowed = bed.take_at_once(200, [](int) { return "hasty"; });
    CHECK_GE(allowed, 40);
    CHECK_LT(allowed, 200);
  }
}
