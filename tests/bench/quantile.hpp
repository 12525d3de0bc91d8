#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace parley::bench {

using Clock = std::chrono::steady_clock;

// In milliseconds; 0 if there are no latencies. `share` is from 0 to below 1.
inline double quantile(std::vector<Clock::duration>& latencies, double share) {
  if (latencies.empty()) return 0;
  const auto nth = latencies.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(latencies.size()) * share);
  std::ranges::nth_element(latencies, nth);
  return std::chrono::duration<double, std::milli>(*nth).count();
}

}  // namespace parley::bench
