#pragma once
#include <span>

#include "conversations/campaigns/experiments/shapes.hpp"

namespace parley::conversations::experiments {

// What became of the test part's messages of one variant.
struct Result {
  std::int64_t variant = 0;
  std::int64_t accepted = 0;  // by the channel
  std::int64_t delivered = 0, read = 0, replied = 0, clicked = 0;
};
BOOST_DESCRIBE_STRUCT(Result, (), (variant, accepted, delivered, read, replied, clicked))

// The variant with the highest rate of what the rule says; of equal ones the first. The campaign's own message, 0, if
// that one has less than the minimum.
std::int64_t winner_of(const Plan& plan, std::span<const Result> results);

}  // namespace parley::conversations::experiments
