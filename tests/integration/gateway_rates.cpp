// What the gateway keeps of rates, beside a Redis.
#include "gateway/rate_limit.hpp"
#include "tests/integration/redis_loop.hpp"

using namespace parley;
using namespace parley::redis_tests;

namespace {

chassis::ProcessSettings settings() {
  identity::start_cryptography();
  chassis::ProcessSettings out;
  out.name = "gateway";
  out.log_level = chassis::Level::error;
  out.identity_key = identity::new_seed();
  return out;
}

}  // namespace

TEST_SUITE("integration: gateway rates") {
  TEST_CASE("more callers than there is room for share what Redis gives to one") {
    chassis::Process process(settings());
    redis::Client redis(process.context().get_executor(), {.url = std::getenv("PARLEY_TEST_REDIS_URL")});
    gateway::RatePolicy policy(process, redis, model::new_uuid().text(), {.a_second = 20, .burst = 40}, 1);
    for (int i = 0; i < 99'999; ++i) REQUIRE(policy.take("known " + std::to_string(i)).allowed);
    redis.open();
    turn_until(process.context(), [&] { return redis.up(); });
    int newcomers = 0, allowed = 0;
    const auto come = [&] { allowed += policy.take("newcomer " + std::to_string(newcomers++)).allowed; };
    for (int i = 0; i < 100; ++i) come();
    CHECK_EQ(allowed, 2);  // a tenth of a second's worth: what there is until the first lease came
    turn_until(process.context(), [&] {
      come();
      return allowed == 50;  // more than one burst
    });
    CHECK_LT(allowed, newcomers);
    redis.close();
    static_cast<http::Loop&>(process.context()).end();
  }
}
