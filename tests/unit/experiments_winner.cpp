// Which message of an experiment wins.
#include <doctest/doctest.h>

#include "conversations/campaigns/experiments/winner.hpp"

using namespace parley::conversations::experiments;

namespace {

std::int64_t winner(const Plan& plan, std::vector<Result> results) { return winner_of(plan, results); }

}  // namespace

TEST_SUITE("unit: experiments") {
  TEST_CASE("the highest rate wins, not the highest number") {
    const Plan plan{.rule = Rule::Replied, .minimum = 1};
    CHECK(winner(plan,
                 {{.variant = 0, .accepted = 100, .replied = 10}, {.variant = 1, .accepted = 50, .replied = 6}}) == 1);
    CHECK(winner(plan,
                 {{.variant = 0, .accepted = 50, .replied = 6}, {.variant = 1, .accepted = 100, .replied = 10}}) == 0);
  }

  TEST_CASE("each rule looks at what it says") {
    const std::vector<Result> results{
        {0, 10, 9, 1, 1, 1}, {1, 10, 1, 9, 1, 1}, {2, 10, 1, 1, 9, 1}, {3, 10, 1, 1, 1, 9}};
    CHECK(winner_of({.rule = Rule::Delivered}, results) == 0);
    CHECK(winner_of({.rule = Rule::Read}, results) == 1);
    CHECK(winner_of({.rule = Rule::Replied}, results) == 2);
    CHECK(winner_of({.rule = Rule::Clicked}, results) == 3);
  }

  TEST_CASE("of equal rates the first wins, and the campaign's own message below the minimum or without anything") {
    Plan plan{.rule = Rule::Read, .minimum = 3};
    CHECK(winner(plan, {{.variant = 2, .accepted = 10, .read = 5}, {.variant = 1, .accepted = 20, .read = 10}}) == 1);
    CHECK(winner(plan, {{.variant = 0, .accepted = 10}, {.variant = 1, .accepted = 10, .read = 2}}) == 0);
    CHECK(winner(plan, {{.variant = 0, .accepted = 10}, {.variant = 1, .accepted = 10, .read = 3}}) == 1);
    CHECK(winner(plan, {}) == 0);
    plan.minimum = 0;
    CHECK(winner(plan, {{.variant = 0}, {.variant = 1, .accepted = 5}}) == 1);
  }
}
