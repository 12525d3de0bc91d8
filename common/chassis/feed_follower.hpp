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
  std::int64_t wait = 1;                         // seconds that the feed may hold a request open for an event
  std::chrono::milliseconds answer_time{1'000};  // added to `wait`
  std::chrono::milliseconds min_pause{50};       // after a failure; doubles each time
  std::chrono::milliseconds max_pause{500};
};

// Follows another service's events from the feed's current end, to invalidate what a process keeps in memory. Every
// process hears all events and acknowledges none. State in the database follows an EventConsumer instead.
class FeedFollower {
 public:
  using Hear = std::function<void(std::span<const events::Event>)>;

  // `hear` gets each event once and in order, batched as received. `forget_all` is called whenever events may have been
  // missed; also before the first event, as anything cached earlier may be stale.
  FeedFollower(Process& process, ServiceClient& producer, Hear hear, std::function<void()> forget_all,
               FollowTimes times = {});

  void start() { process_.spawn("following of " + producer_.context(), loop_.run()); }
  void stop() { loop_.request_stop(); }

  // All events emitted before this moment have been heard.
  http::Clock::time_point known_until() const { return known_until_; }
  // True if the last request to the feed succeeded.
  bool is_heard() const { return place_ && failure_.empty(); }
  // The number of failed requests, and of gaps in the events.
  std::uint64_t failures() const { return failures_; }
  std::uint64_t gaps() const { return gaps_; }
  // Makes one more request at once. Returns true if all events emitted before the call have been heard, false if that
  // is unknown.
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
  std::optional<FeedPosition> place_;  // empty before the first response
  http::Clock::time_point known_until_{};
  std::string failure_;  // the last one; "" while the feed responds
  std::uint64_t failures_ = 0, gaps_ = 0;
  async::Loop loop_;
};

}  // namespace parley::chassis
