#include "common/chassis/replay_budget.hpp"

namespace parley::chassis {

namespace {

constexpr std::uint64_t kMaxOctets = 256 << 20;
constexpr std::uint64_t kMaxOfOne = 1 << 20;
constexpr std::uint64_t kShort = 4 << 10;
constexpr auto kDay = std::chrono::hours(24);  // the lifetime of a recorded response

}  // namespace

bool ReplayBudget::take(const model::Uuid& organization, std::uint64_t octets, http::Clock::time_point now) {
  if (octets <= kShort) return true;
  if (now >= until_) {
    taken_.clear();
    until_ = now + kDay;
  }
  auto& taken = taken_[organization];
  if (octets > kMaxOfOne || octets > kMaxOctets - taken) {
    refused_.Increment();
    return false;
  }
  taken += octets;
  return true;
}

}  // namespace parley::chassis
