#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "conversations/channel/refusals.hpp"

namespace parley::conversations::channel {
namespace {

TEST_SUITE("unit: errors of the channel") {
  TEST_CASE("every error code of the channel has its reaction") {
    struct Expected {
      Reaction reaction;
      std::vector<std::int64_t> codes;
    };
    using enum Reaction;
    const std::vector<Expected> all{
        {slow_number, {4, 80007, 130429, 613}},
        {slow_recipient, {131056}},
        {retry, {1, 2, 131000, 131016, 135000, 131053}},
        {wait_for_maintenance, {131057}},
        {give_up,
         {131049, 130472, 131026, 131047, 131051, 131052, 131008, 131009, 100, 131021, 131030, 131062, 131063}},
        {give_up, {133016}},
        {opted_out, {131050}},
        {fail_campaign, {132000, 132001, 132005, 132007, 132008, 132012}},
        {pause_campaign, {131048, 132015, 132016, 132068, 132069, 131064}},
        {stop_account, {0, 3, 10, 190, 200, 201, 250, 299, 131005}},
        {stop_account, {368, 131031, 130497, 131037, 131042, 131044, 131045}},
    };
    for (const auto& expected : all)
      for (const auto code : expected.codes)
        for (const unsigned status : {200U, 400U, 403U, 429U, 500U, 503U}) {
          CAPTURE(code);
          CAPTURE(status);
          CHECK(reaction_to(code, status) == expected.reaction);
        }
  }

  TEST_CASE("a code that nobody knows is judged by the status") {
    for (const std::int64_t code : {-1L, 5L, 99L, 191L, 300L, 131010L, 131046L, 999999999L}) {
      CAPTURE(code);
      CHECK(reaction_to(code, 429) == Reaction::slow_number);
      CHECK(reaction_to(code, 500) == Reaction::retry);
      CHECK(reaction_to(code, 503) == Reaction::retry);
      CHECK(reaction_to(code, 400) == Reaction::give_up);
      CHECK(reaction_to(code, 404) == Reaction::give_up);
    }
  }
}

}  // namespace
}  // namespace parley::conversations::channel
