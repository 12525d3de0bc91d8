#include "conversations/campaigns/audience/draws.hpp"

namespace parley::conversations::audience {

namespace {

constexpr std::int64_t kPrime = (std::int64_t{1} << 31) - 1;

std::int64_t number_of(const model::Uuid& id, std::size_t first) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = out << 8 | id.bytes[first + i];
  return out;
}

}  // namespace

// A universal hash (Carter and Wegman 1979), of the id's random octets.
Draws draws_of(const model::Uuid& campaign) {
  return {1 + number_of(campaign, 8) % (kPrime - 1), number_of(campaign, 12) % kPrime};
}

std::int64_t draw(const Draws& draws, const model::Uuid& contact) {
  const auto x = number_of(contact, 12) & 0xFFFFFFF;
  return (draws.multiplier * x + draws.addend) % kPrime % 100;
}

}  // namespace parley::conversations::audience
