#pragma once
#include <functional>
#include <unordered_map>
#include <vector>

#include "common/async/loop.hpp"
#include "common/events/feed.hpp"
#include "conversations/events/stream/listener.hpp"

namespace parley::conversations::stream {

struct StreamStats {
  std::uint64_t slow = 0;      // streams ended because the client did not read
  std::uint64_t resets = 0;    // clients whose missed events were gone
  std::uint64_t refused = 0;   // too many streams
  std::uint64_t failures = 0;  // failed reads
};

// Feeds this process's listeners. Live ones share one read of the feed. To the others organizations give turns: a page
// read for one serves all that it advances. So listeners cost no queries, and none waits for one farther behind.
class Hub {
 public:
  Hub(boost::asio::io_context& context, events::Feed& feed, pg::Pool& database, StreamSettings settings,
      events::Report report);
  ~Hub() { stop(); }

  // They throw nothing.
  awaitable<void> follow() { return following_.run(); }
  awaitable<void> catch_up() { return catching_up_.run(); }
  // Ends all streams; clients resume at another process.
  void stop();

  // Opens a stream of the chosen events from now or from behind `after`, for `wait`. Missed events that are gone (or
  // `lost`) lead to a `reset`. The stream must not outlive the feed. Throws Problem 503: too many streams, or no feed.
  awaitable<std::shared_ptr<Listener>> listen(model::Uuid organization, Choice choice, std::optional<Position> after,
                                              bool lost, std::chrono::seconds wait);

  // Tells what is kept nowhere, `data`, to live listeners who take it and have room. It has no id, and nobody goes on
  // behind it.
  void tell(const model::Uuid& organization, const Topic& topic, std::string_view data);

  const StreamStats& stats() const { return stats_; }
  std::uint64_t told() const { return listeners_->told; }  // events, counted for each listener
  std::size_t size() const { return listeners_->all.size(); }

 private:
  using State = Listener::State;
  using Choices = std::unordered_map<model::Uuid, std::vector<Choice>>;  // of an organization's listeners
  using ByOrganization = std::unordered_map<model::Uuid, std::vector<Told>>;

  awaitable<std::chrono::milliseconds> step();
  awaitable<std::chrono::milliseconds> catch_up_some();
  awaitable<bool> pass();
  static bool is_waiting(const Listener& listener);
  Listener* next() const;
  void start_behind(Listener& listener, const Position& after);
  void reset(Listener& listener, std::int64_t position);
  Choices choices_of(const std::function<bool(const Listener&)>& chosen) const;
  awaitable<ByOrganization> told_of(const events::FeedPage& page, Choices choices);
  bool emit(Listener& listener, const ByOrganization& told, std::int64_t last);
  void failed(std::string_view what);

  events::Feed& feed_;
  pg::Pool& database_;
  events::Report report_;
  std::shared_ptr<Listeners> listeners_;
  async::Loop following_, catching_up_;
  bool known_ = false;
  std::int64_t position_ = 0;  // live listeners have all up to here
  std::int64_t taken_ = 0;     // and are about to get all up to here
  // For listeners that are behind: the organization of the last turn, and the number of turns.
  model::Uuid last_turn_;
  std::uint64_t turns_ = 0;
  StreamStats stats_;
};

}  // namespace parley::conversations::stream
