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
  std::uint64_t lost = 0;  // for want of room, as they could not be written, or as the process ended
};

// Commits clicks, many of them at once, one transaction after the other. Counting delays nobody for long and fails
// nobody: a click stays until it is written, its visitor leaves before if that takes too long.
class Clicks {
 public:
  Clicks(chassis::Process& process, pg::Pool& database);

  void start() { process_.spawn("clicks", loop_.run()); }
  // After the last click: until all are committed, or for kDrainTime; the rest is lost.
  awaitable<void> stop();

  // Returns when the click is committed, or cannot be soon: after kTimeout at the latest.
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
  std::uint64_t taken_ = 0, finished_ = 0;  // clicks, numbered as they came
  std::uint64_t released_ = 0;              // up to there no visitor waits
  async::Event released_some_;              // pulsed
  std::size_t apart_ = 0;  // so many at the front are written one by one: with others they could not be
  bool behind_ = false;    // a commit fails, or takes too long: visitors do not wait for it
  ClickStats stats_;
};

}  // namespace parley::conversations::links
