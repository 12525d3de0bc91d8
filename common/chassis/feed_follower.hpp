#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "common/async/loop.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "common/events/event.hpp"

namespace parley::chassis {

using boost::asio::awaitable;

struct FollowTimes {
  std::int64_t wait = 1;                         // seconds that a question to the feed may wait for an event
  std::chrono::milliseconds answer_time{1'000};  // beside that
  std::chrono::milliseconds min_pause{50};       // after a failure; doubles
  std::chrono::milliseconds max_pause{500};
};

// Follows another service's events from their present end on, for who keeps in memory what they make invalid. Each
// process hears all of them and acknowledges none. (What is kept in the database follows by an EventConsumer.)
class FeedFollower {
 public:
  using Hear = std::function<void(std::span<const events::Event>)>;

  // `hear` is given each event once, in order, those together that came together. `forget_all` is called when nobody
  // knows what was missed: before the first event too, as what was learned before it may be older than what came before
  // it.
  FeedFollower(Process& process, ServiceClient& producer, Hear hear, std::function<void()> forget_all,
               FollowTimes times = {});

  void start() { process_.spawn("following of " + producer_.context(), loop_.run()); }
  void stop() { loop_.request_stop(); }

  // All that was told before this moment was heard here.
  http::Clock::time_point known_until() const { return known_until_; }
  // The last question was answered.
  bool is_heard() const { return place_ && failure_.empty(); }
  // Questions that failed, and times that events were missed.
  std::uint64_t failures() const { return failures_; }
  std::uint64_t gaps() const { return gaps_; }
  // Asks once more at once. True: all that was told before the call was heard. False: that cannot be said now.
  awaitable<bool> catch_up();

 private:
  struct FeedPosition {
    model::Uuid epoch;
    std::int64_t position = 0;
  };
  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> ask(std::int64_t wait);
  awaitable<events::FeedPage> page_behind(std::optional<FeedPosition> place, std::int64_t wait);
  bool take(const std::optional<FeedPosition>& asked, const events::FeedPage& page);
  void note(const std::string& failure);

  Process& process_;
  ServiceClient& producer_;
  Hear hear_;
  std::function<void()> forget_all_;
  FollowTimes times_;
  RequestContext scope_;
  std::optional<FeedPosition> place_;  // nothing before the first answer
  http::Clock::time_point known_until_{};
  std::string failure_;  // the last one, "" while the feed is heard
  std::uint64_t failures_ = 0, gaps_ = 0;
  async::Loop loop_;
};

}  // namespace parley::chassis
