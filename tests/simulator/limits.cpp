#include "tests/simulator/limits.hpp"

#include <algorithm>
#include <chrono>

namespace parley::simulator {

namespace {

constexpr std::size_t kMaxPairs = 1'000'000;

std::string pair_of(std::string_view phone_number_id, std::string_view user) {
  return std::string(phone_number_id).append(1, ' ').append(user);
}

}  // namespace

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

bool Windows::open(std::string_view phone_number_id, std::string_view user, std::int64_t at) {
  auto key = pair_of(phone_number_id, user);
  if (last_.size() >= kMax && !last_.contains(key)) {
    std::erase_if(last_, [&](const auto& each) { return each.second + kLength <= at; });
    if (last_.size() >= kMax) return false;
  }
  auto& last = last_[std::move(key)];
  last = std::max(last, at);
  return true;
}

bool Windows::is_open(std::string_view phone_number_id, std::string_view user, std::int64_t now) const {
  const auto found = last_.find(pair_of(phone_number_id, user));
  return found != last_.end() && now < found->second + kLength;
}

bool Rates::admit(std::string_view phone_number_id, std::int64_t rate, std::int64_t now) {
  auto found = seconds_.find(phone_number_id);
  if (found == seconds_.end()) found = seconds_.try_emplace(std::string(phone_number_id)).first;
  auto& second = found->second;
  if (now - second.begun >= 1000) second = {now, 0};
  return ++second.count <= rate;
}

bool Pairs::admit(std::string_view phone_number_id, std::string_view user, std::int64_t each, std::int64_t burst,
                  std::int64_t now) {
  if (taken_.size() >= kMaxPairs) std::erase_if(taken_, [&](const auto& pair) { return pair.second <= now; });
  if (taken_.size() >= kMaxPairs) return false;
  auto& taken = taken_[pair_of(phone_number_id, user)];
  taken = std::max(taken, now);
  if (taken + each > now + each * burst) return false;
  taken += each;
  return true;
}

}  // namespace parley::simulator
