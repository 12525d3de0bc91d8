#include "contacts/imports/pace.hpp"

#include <algorithm>

#include "common/async/pause.hpp"

namespace parley::contacts::imports {

namespace {
constexpr std::chrono::milliseconds kBetweenLooks{1};
}

awaitable<void> Pace::make_room(Clock::time_point begin) {
  const auto end = Clock::now();
  const auto latest = end + std::min<Clock::duration>((end - begin) * kLongestWait, kMostWait);
  bool waited = false;
  for (; reads_() > kFewReads && Clock::now() < latest; waited = true) co_await async::pause(kBetweenLooks);
  rows_ = waited ? std::max(rows_ / 2, kFewestRows) : std::min(rows_ + kFewestRows, kMostRows);
}

}  // namespace parley::contacts::imports
