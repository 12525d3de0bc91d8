#pragma once
#include <prometheus/counter.h>

#include <cstdint>
#include <unordered_map>

#include "common/http/deadline.hpp"
#include "common/model/uuid.hpp"

namespace parley::chassis {

// Which answers are recorded (see change.hpp): those of at most 1 MiB, and of an organization 256 MiB a day and
// process. A small change may have a long answer, so that otherwise an organization could fill the disk as fast as it
// asks. Counted here, and not in the database, so that no request waits for another's count; a restart forgives a
// day's.
class ReplayBudget {
 public:
  // `refused` counts what is not recorded.
  explicit ReplayBudget(prometheus::Counter& refused) : refused_(refused) {}

  // Whether an answer of so many octets is recorded; it counts from then on, also if it is not committed after all.
  // Short ones always are, and do not count: the change itself writes about as much.
  bool take(const model::Uuid& organization, std::uint64_t octets, http::Clock::time_point now = http::Clock::now());

 private:
  prometheus::Counter& refused_;
  std::unordered_map<model::Uuid, std::uint64_t> taken_;  // on this day
  http::Clock::time_point until_{};
};

}  // namespace parley::chassis
