#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <list>
#include <memory>
#include <string>

#include "common/async/event.hpp"
#include "common/async/shares.hpp"
#include "common/http/message.hpp"
#include "conversations/events/stream/choice.hpp"
#include "conversations/events/stream/position.hpp"

namespace parley::conversations::stream {

using Clock = std::chrono::steady_clock;
using boost::asio::awaitable;

struct StreamSettings {
  std::size_t max_listeners = 2'000;      // per process
  std::size_t reserved = 500;             // kept for organizations without a stream
  std::size_t max_of_organization = 100;  // fewer if fewer are free
  std::size_t max_events = 1'000;         // queued for one listener
  std::size_t most_octets = 1 << 20;      // of the queued events
  std::int64_t max_read = 500;            // events per read of the feed
  std::chrono::milliseconds heartbeat{15'000};
  std::chrono::milliseconds catch_up_pause{100};  // between reads for listeners that are behind
  std::chrono::milliseconds failure_pause{1'000};
  std::chrono::milliseconds max_start{3'000};
};

class Listener;

// State shared by listeners and their hub; listeners may outlive the hub.
struct Listeners {
  Listeners(boost::asio::io_context& context_, StreamSettings settings_)
      : context(context_), settings(settings_), places(settings.max_listeners, 1, settings.reserved) {}
  boost::asio::io_context& context;
  StreamSettings settings;
  std::list<Listener*> all;
  async::Shares<model::Uuid> places;  // of `all`, by organization
  async::Event laggards;              // pulsed when a listener is to be caught up
  model::Uuid epoch;                  // of the feed
  std::uint64_t told = 0;
};

// An event as sent; all its listeners share the text.
struct Told {
  std::int64_t position = 0;
  std::int32_t index = 0;  // of the change; Position::kWhole for the event's last change of this organization
  Topic topic;
  std::shared_ptr<const std::string> text;
};

class Listener final : public http::BodySource {
 public:
  Listener(std::shared_ptr<Listeners> all, const model::Uuid& organization, Choice choice, std::chrono::seconds wait);
  ~Listener() override;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Blocks of text/event-stream; a heartbeat if there are none; empty at the end of the stream.
  awaitable<std::string_view> next() override;
  void reader_left() override { end(); }

 private:
  friend class Hub;
  enum class State { starting, behind, live };

  // Queues an event unless it was sent before or is not of its choice; false if there is no room.
  bool emit(const Told& told);
  // The same for what has no position; dropped if there is no room.
  void offer(const Topic& topic, std::shared_ptr<const std::string> text);
  void move_to(std::int64_t position);
  void push(std::shared_ptr<const std::string> text);
  void wake() { timer_.cancel(); }
  void end();  // after the queued events
  bool is_over() const;
  Position place() const { return {all_->epoch, done_, Position::kWhole}; }

  std::shared_ptr<Listeners> all_;
  std::list<Listener*>::iterator at_;
  model::Uuid organization_;
  async::Slot<model::Uuid> share_;
  Choice choice_;
  boost::asio::steady_timer timer_;
  Clock::time_point until_, next_heartbeat_;
  State state_ = State::starting;
  bool ended_ = false;
  bool goes_on_ = false;       // behind, with room for more, and the feed has more
  std::uint64_t turn_ = 0;     // when it began to wait for a read, while behind
  bool moved_ = false;         // beyond the last id sent
  model::Uuid epoch_;          // of `done_`, while behind
  std::int64_t done_ = 0;      // all up to this position was sent
  std::int32_t partial_ = -1;  // and the next event's changes up to this one
  std::deque<std::shared_ptr<const std::string>> queue_;
  std::size_t octets_ = 0;
  std::string piece_;
};

}  // namespace parley::conversations::stream
