#pragma once
#include <prometheus/counter.h>

#include <cstdint>
#include <unordered_map>

#include "common/http/deadline.hpp"
#include "common/model/uuid.hpp"

namespace parley::chassis {

// Decides which responses are recorded (see change.hpp): at most 1 MiB each, and 256 MiB per organization, day and
// process. Otherwise small changes with long responses could fill the disk. Counted in memory, so that no request waits
// for another's count; a restart resets the day's count.
class ReplayBudget {
 public:
  // `refused` counts responses that are not recorded.
  explicit ReplayBudget(prometheus::Counter& refused) : refused_(refused) {}

  // Returns whether a response of so many octets is recorded, and counts it even if the commit fails. Short responses
  // are always recorded and not counted, as the change itself writes about as much.
  bool take(const model::Uuid& organization, std::uint64_t octets, http::Clock::time_point now = http::Clock::now());

 private:
  prometheus::Counter& refused_;
  std::unordered_map<model::Uuid, std::uint64_t> taken_;  // today
  http::Clock::time_point until_{};
};

}  // namespace parley::chassis
