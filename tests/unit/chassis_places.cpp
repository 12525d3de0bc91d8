// How many long requests an organization may have under way.
#include "common/chassis/places.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "common/http/problem.hpp"

using namespace parley;

TEST_CASE("places: an organization gets its share, is told when it has it, and leaves places for others") {
  chassis::Places places(16, "exports");
  http::Request request;
  const auto refusal = [&](const model::Uuid& organization) {
    try {
      places.take(request, organization);
    } catch (const http::Problem& problem) {
      CHECK_EQ(problem.head, "Retry-After: 10\r\n");
      CHECK_EQ(problem.close, request.has_body);
      return problem.status;
    }
    return 0U;
  };
  const auto one = model::new_uuid();
  std::vector<chassis::Places::Place> taken;
  while (refusal(one) == 0) taken.push_back(places.take(request, one));
  CHECK_EQ(taken.size(), 8);
  const auto second = model::new_uuid();
  for (int i = 0; i < 2; ++i) taken.push_back(places.take(request, second));
  CHECK_EQ(refusal(second), 429);
  CHECK_EQ(refusal(one), 429);
  for (auto other = model::new_uuid(); refusal(other) == 0; other = model::new_uuid())
    taken.push_back(places.take(request, other));
  CHECK_EQ(taken.size(), 16);
  CHECK_EQ(refusal(model::new_uuid()), 503);
  request.has_body = true;  // which is not waited for
  CHECK_EQ(refusal(one), 429);
  taken.erase(taken.begin(), taken.begin() + 7);  // for others, before it gets one again
  CHECK_EQ(refusal(model::new_uuid()), 0);
  CHECK_EQ(refusal(one), 0);
  taken.clear();
  CHECK_EQ(refusal(one), 0);
}
