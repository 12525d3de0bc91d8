#pragma once
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/async/loop.hpp"
#include "common/events/feed.hpp"
#include "conversations/events/stream/listener.hpp"

namespace parley::conversations::stream {

struct StreamStats {
  std::uint64_t slow = 0;      // streams ended because their client did not read
  std::uint64_t resets = 0;    // clients that had missed what is gone
  std::uint64_t refused = 0;   // there were too many
  std::uint64_t failures = 0;  // of reading
};

// Tells the listeners of this process what happens in their organizations. It reads the service's own feed once for all
// who are up to date. For those who resume organizations take turns, and in each the listeners: what is read for one is
// told to all whom it brings on. So what a listener costs is memory, not queries, and nobody waits for who is farther
// behind.
class Hub {
 public:
  Hub(boost::asio::io_context& context, events::Feed& feed, pg::Pool& database, StreamSettings settings,
      events::Report report);
  ~Hub() { stop(); }

  // The two halves, until stop(). Throw nothing.
  awaitable<void> follow() { return following_.run(); }
  awaitable<void> catch_up() { return catching_up_.run(); }
  // Ends all streams; a client goes on elsewhere behind what it has got.
  void stop();

  // A stream of what these permissions let see, from now on, or from behind `after`, for `wait`. What was missed and is
  // gone (or `lost` from the start) is told as the event `reset`. It must not outlive the feed. Throws a Problem 503:
  // there are too many, or the feed is out of reach.
  awaitable<std::shared_ptr<Listener>> listen(model::Uuid organization, identity::PermissionSet permissions,
                                              std::optional<Position> after, bool lost, std::chrono::seconds wait);

  const StreamStats& stats() const { return stats_; }
  std::uint64_t told() const { return listeners_->told; }  // events, to each listener
  std::size_t size() const { return listeners_->all.size(); }

 private:
  using State = Listener::State;
  using Organizations = std::unordered_set<model::Uuid>;
  using ByOrganization = std::unordered_map<model::Uuid, std::vector<Told>>;

  awaitable<std::chrono::milliseconds> step();
  awaitable<std::chrono::milliseconds> catch_up_some();
  awaitable<bool> pass();
  static bool is_waiting(const Listener& listener);
  Listener* next() const;
  void start_behind(Listener& listener, const Position& after);
  void reset(Listener& listener, std::int64_t position);
  Organizations organizations_of(const std::function<bool(const Listener&)>& chosen) const;
  awaitable<ByOrganization> told_of(const events::FeedPage& page, Organizations organizations);
  bool emit(Listener& listener, const ByOrganization& told, std::int64_t last);
  void failed(std::string_view what);

  events::Feed& feed_;
  pg::Pool& database_;
  events::Report report_;
  std::shared_ptr<Listeners> listeners_;
  async::Loop following_, catching_up_;
  bool known_ = false;
  std::int64_t position_ = 0;  // all up to here was told to those who are live
  std::int64_t taken_ = 0;     // and up to here is about to be
  // Of those who are behind: the organization that had the last turn, and how many turns there were.
  model::Uuid last_turn_;
  std::uint64_t turns_ = 0;
  StreamStats stats_;
};

}  // namespace parley::conversations::stream
