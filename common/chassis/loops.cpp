#include "common/chassis/loops.hpp"

#include "common/chassis/process.hpp"

namespace parley::chassis {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {
constexpr milliseconds kMaxFailureRest{10'000};
}

Loops::Loops(boost::asio::io_context& context, std::size_t count, milliseconds rest, Step step, Failed failed) {
  const auto make_step = [rest, step = std::move(step)]() -> awaitable<milliseconds> {
    const bool more = co_await step();
    co_return more ? 0ms : rest;
  };
  const async::FailurePauses pauses{rest, std::max(rest, kMaxFailureRest)};
  while (loops_.size() < count) loops_.emplace_back(context, pauses, make_step, failed);
}

void Loops::start(Process& process, const std::string& name) {
  for (auto& loop : loops_) process.spawn(name, loop.run());
}

void Loops::notify() {
  for (auto& loop : loops_) loop.notify();
}

awaitable<void> Loops::stop() {
  for (auto& loop : loops_) loop.request_stop();
  for (auto& loop : loops_) co_await loop.stop();
}

}  // namespace parley::chassis
