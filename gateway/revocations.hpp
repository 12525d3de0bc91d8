#pragma once
#include <optional>

#include "common/async/loop.hpp"
#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "common/events/event.hpp"
#include "gateway/callers.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

struct RevocationTimes {
  std::int64_t wait = 1;                         // seconds that a question to the feed may wait for an event
  std::chrono::milliseconds answer_time{1'000};  // beside that
  std::chrono::milliseconds shortest_pause{50};  // after a failure; doubles
  std::chrono::milliseconds longest_pause{500};
};

// Follows organizations' events from their present end on, and forgets the callers that they name. Each gateway hears
// all of them and acknowledges none.
class Revocations {
 public:
  Revocations(chassis::Process& process, chassis::Peer& organizations, Callers& callers, RevocationTimes times = {});

  void start() { process_.spawn("following of organizations", loop_.run()); }
  void stop() { loop_.request_stop(); }

  // All that was changed before this moment was heard here.
  http::Clock::time_point known_until() const { return known_until_; }

 private:
  struct Place {
    model::Uuid epoch;
    std::int64_t position = 0;
  };
  awaitable<std::chrono::milliseconds> step();
  awaitable<events::FeedPage> ask();
  bool follows(const events::FeedPage& page) const;
  void apply(const events::FeedPage& page);
  void note(const std::string& failure);

  chassis::Process& process_;
  chassis::Peer& organizations_;
  Callers& callers_;
  RevocationTimes times_;
  chassis::Scope scope_;
  std::optional<Place> place_;  // nothing before the first answer
  http::Clock::time_point known_until_{};
  std::string failure_;  // the last one, "" while the feed is heard
  std::uint64_t failures_ = 0, gaps_ = 0;
  async::Loop loop_;
};

}  // namespace parley::gateway
