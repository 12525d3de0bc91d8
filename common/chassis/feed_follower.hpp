#pragma once
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <optional>
#include <string>

#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "common/events/event.hpp"

namespace parley::chassis {

using boost::asio::awaitable;

struct FollowTimes {
  std::int64_t wait = 1;                         // seconds that a question to the feed may wait for an event
  std::chrono::milliseconds answer_time{1'000};  // beside that
  std::chrono::milliseconds shortest_pause{50};  // after a failure; doubles
  std::chrono::milliseconds longest_pause{500};
};

// Follows another service's events from their present end on, for who keeps in memory what they make invalid. Each
// process hears all of them and acknowledges none. (What is kept in the database follows by an EventConsumer.)
class FeedFollower {
 public:
  // `hear` is given each event once, in order. `forget_all` is called when nobody knows what was missed: before the
  // first event too, as what was learned before it may be older than what came before it.
  FeedFollower(Process& process, Peer& producer, std::function<void(const events::Event&)> hear,
               std::function<void()> forget_all, FollowTimes times = {});

  void start() { process_.spawn("following of " + producer_.context(), run()); }
  void stop();

  // All that was told before this moment was heard here.
  http::Clock::time_point known_until() const { return known_until_; }
  // Asks once more at once. True: all that was told before the call was heard. False: that cannot be said now.
  awaitable<bool> catch_up();

 private:
  struct Place {
    model::Uuid epoch;
    std::int64_t position = 0;
  };
  awaitable<void> run();
  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> ask(std::int64_t wait);
  awaitable<events::FeedPage> page_behind(std::optional<Place> place, std::int64_t wait);
  bool take(const std::optional<Place>& asked, const events::FeedPage& page);
  awaitable<void> pause(std::chrono::milliseconds time);
  void note(const std::string& failure);

  Process& process_;
  Peer& producer_;
  std::function<void(const events::Event&)> hear_;
  std::function<void()> forget_all_;
  FollowTimes times_;
  Scope scope_;
  boost::asio::steady_timer timer_;
  std::optional<Place> place_;  // nothing before the first answer
  http::Clock::time_point known_until_{};
  std::string failure_;  // the last one, "" while the feed is heard
  bool stopped_ = false;
};

}  // namespace parley::chassis
