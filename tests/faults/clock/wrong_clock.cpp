// Preloaded into a process, gives it a calendar clock that is WRONG_CLOCK seconds ahead. Clocks that measure how much
// time passes stay as they are.
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {

long shift() {
  const char* const seconds = std::getenv("WRONG_CLOCK");
  return seconds ? std::atol(seconds) : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* out) noexcept {
  const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, out));
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) out->tv_sec += shift();
  return result;
}

extern "C" int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  *out = {now.tv_sec, static_cast<suseconds_t>(now.tv_nsec / 1'000)};
  return 0;
}

extern "C" std::time_t time(std::time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
