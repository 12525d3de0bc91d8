// How many long requests an organization may have under way.
#include "common/chassis/slot_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "common/http/problem.hpp"

using namespace parley;

namespace {

class Bed {
 public:
  // The status of a refusal, 0 if the place is given back at once.
  unsigned refusal(const model::Uuid& organization) {
    try {
      places.take(request, organization);
    } catch (const http::Problem& problem) {
      CHECK_EQ(problem.head, "Retry-After: 10\r\n");
      CHECK_EQ(problem.close, request.has_body);
      return problem.status;
    }
    return 0;
  }
  bool take(const model::Uuid& organization) {
    try {
      taken.push_back(places.take(request, organization));
    } catch (const http::Problem&) {
      return false;
    }
    return true;
  }
  // How many of these, which were taken one after the other, may go on.
  long going_on(std::size_t first, std::size_t count) {
    return std::count_if(taken.begin() + static_cast<long>(first), taken.begin() + static_cast<long>(first + count),
                         [&](const auto& place) { return goes_on(*place); });
  }
  static bool goes_on(chassis::SlotPool::Held& place) {
    try {
      place.advance(1);
    } catch (const http::Problem& problem) {
      CHECK_EQ(problem.status, 503);
      return false;
    }
    return true;
  }

  chassis::SlotPool places{16, "exports"};
  http::Request request;
  std::vector<chassis::SlotPool::Slot> taken;
};

}  // namespace

TEST_CASE("places: an organization gets its share, is told when it has it, and leaves places for others") {
  Bed bed;
  const auto one = model::new_uuid(), second = model::new_uuid();
  while (bed.take(one)) continue;
  CHECK_EQ(bed.taken.size(), 8);
  while (bed.take(second)) continue;
  CHECK_EQ(bed.taken.size(), 10);
  CHECK_EQ(bed.refusal(second), 429);
  CHECK_EQ(bed.refusal(one), 429);
  for (int i = 0; i < 6; ++i) REQUIRE(bed.take(model::new_uuid()));
  CHECK_EQ(bed.going_on(0, 16), 16);
  bed.request.has_body = true;  // which is not waited for
  CHECK_EQ(bed.refusal(one), 429);
  bed.taken.erase(bed.taken.begin(), bed.taken.begin() + 7);  // for others, before it gets one again
  CHECK_EQ(bed.refusal(model::new_uuid()), 0);
  CHECK_EQ(bed.refusal(one), 0);
  bed.taken.clear();
  CHECK_EQ(bed.refusal(one), 0);
}

TEST_CASE("places: who has none gets one of the organization that has most, which has come least far") {
  Bed bed;
  const auto one = model::new_uuid(), second = model::new_uuid();
  while (bed.take(one)) bed.taken.back()->advance(1'000);
  while (bed.take(second)) continue;
  for (int i = 0; i < 6; ++i) REQUIRE(bed.take(model::new_uuid()));
  bed.taken[3]->advance(1'000);
  bed.taken[5]->advance(1'000);
  for (int i = 0; i < 5; ++i) REQUIRE(bed.take(model::new_uuid()));
  CHECK_EQ(bed.going_on(0, 8), 3);
  CHECK(Bed::goes_on(*bed.taken[3]));
  CHECK(Bed::goes_on(*bed.taken[5]));
  CHECK_EQ(bed.going_on(8, 8 + 5), 13);
  bed.taken[0]->advance(0);  // the end of what is whole
  // Each has one in the end, and keeps it.
  for (int i = 0; i < 3; ++i) REQUIRE(bed.take(model::new_uuid()));
  CHECK_EQ(bed.going_on(0, 8), 1);
  CHECK_EQ(bed.going_on(8, 2), 1);
  CHECK_EQ(bed.refusal(model::new_uuid()), 503);
  CHECK_EQ(bed.going_on(10, 6 + 8), 14);
}

TEST_CASE("places: what was given to others and is still there may be so much, and then no more is given") {
  Bed bed;
  const auto one = model::new_uuid();
  const auto fill = [&] {
    while (bed.take(one)) continue;
    for (int i = 0; i < 8; ++i) REQUIRE(bed.take(model::new_uuid()));
  };
  fill();
  for (int i = 0; i < 7; ++i) REQUIRE(bed.take(model::new_uuid()));
  bed.taken.resize(8);  // all of the first one's, of which one has a place
  fill();
  REQUIRE(bed.take(model::new_uuid()));
  CHECK_EQ(bed.refusal(model::new_uuid()), 503);
  bed.taken.erase(bed.taken.begin());
  CHECK_EQ(bed.refusal(model::new_uuid()), 0);
}
