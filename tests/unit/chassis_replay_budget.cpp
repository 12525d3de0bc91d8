// Which answers to requests with an Idempotency-Key are kept.
#include <doctest/doctest.h>

#include "common/chassis/replay_budget.hpp"

using namespace parley;
using namespace std::chrono_literals;

TEST_CASE("replays: of an organization so much is kept a day, and short answers always are") {
  constexpr std::uint64_t kMiB = 1 << 20;
  prometheus::Counter refused;
  chassis::ReplayBudget room(refused);
  const auto now = http::Clock::now();
  const auto one = model::new_uuid(), other = model::new_uuid();
  CHECK(room.take(one, kMiB, now));
  CHECK_FALSE(room.take(one, kMiB + 1, now));
  CHECK_EQ(refused.Value(), 1);
  int more = 0;
  while (more < 1'000 && room.take(one, kMiB, now)) ++more;
  CHECK_EQ(more, 255);
  CHECK_EQ(refused.Value(), 2);
  CHECK_FALSE(room.take(one, 5'000, now + 23h));
  CHECK(room.take(one, 4'096, now));
  CHECK(room.take(other, kMiB, now));
  CHECK(room.take(one, kMiB, now + 24h));
}
