#pragma once
#include <chrono>
#include <deque>

#include "common/async/event.hpp"
#include "common/async/loop.hpp"
#include "common/chassis/events.hpp"
#include "common/pg/pool.hpp"
#include "conversations/messages/engagement/engagement.hpp"

namespace parley::conversations::links {

using boost::asio::awaitable;

using engagement::Click;

struct ClickStats {
  std::uint64_t committed = 0;
  std::uint64_t commits = 0;
  std::uint64_t lost = 0;       // queue full, write refused, or process ended
  std::uint64_t unawaited = 0;  // visitors who were led on before the commit
};

// Commits clicks in batches, one transaction at a time. A visitor's request never fails because of a click and waits at
// most kTimeout; the click stays queued until written.
class Clicks {
 public:
  Clicks(chassis::Process& process, pg::Pool& database);

  void start() { process_.spawn("clicks", loop_.run()); }
  // Call after the last click: waits at most kDrainTime for the commits; the rest is lost.
  awaitable<void> stop();

  // Returns when the click is committed or cannot be soon, after kTimeout at the latest.
  awaitable<void> take(Click click);

  const ClickStats& stats() const { return stats_; }
  std::size_t waiting() const { return queue_.size(); }

  static constexpr std::chrono::milliseconds kTimeout{250};
  static constexpr std::chrono::milliseconds kDrainTime{5'000};
  static constexpr std::size_t kMaxWaiting = 20'000;

 private:
  awaitable<std::chrono::milliseconds> step();
  void failed(std::string_view what);
  awaitable<void> write_first();
  awaitable<void> write(std::vector<Click> clicks);
  void finish(std::size_t count);
  void release(std::uint64_t last);

  chassis::Process& process_;
  pg::Pool& database_;
  async::Loop loop_;  // of the writer
  std::deque<Click> queue_;
  std::uint64_t taken_ = 0, finished_ = 0;  // clicks, numbered in order of arrival
  std::uint64_t released_ = 0;              // no visitor waits for a click up to this number
  async::Event released_some_;              // pulsed
  std::size_t apart_ = 0;                   // clicks at the front to write one by one, since their batch was refused
  bool behind_ = false;                     // a commit fails or is slow: visitors do not wait for it
  ClickStats stats_;
};

}  // namespace parley::conversations::links
