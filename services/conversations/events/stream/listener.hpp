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
#include "common/identity/permission.hpp"
#include "conversations/events/stream/position.hpp"

namespace parley::conversations::stream {

using Clock = std::chrono::steady_clock;
using boost::asio::awaitable;

struct StreamSettings {
  std::size_t max_listeners = 2'000;      // of a process
  std::size_t reserved = 500;             // of those, for organizations that have none
  std::size_t max_of_organization = 100;  // less where fewer are free
  std::size_t max_events = 1'000;         // that wait for one listener
  std::size_t most_octets = 1 << 20;      // of those
  std::int64_t max_read = 500;            // events of the feed at once
  std::chrono::milliseconds heartbeat{15'000};
  std::chrono::milliseconds catch_up_pause{100};  // between two readings for those who are behind
  std::chrono::milliseconds failure_pause{1'000};
  std::chrono::milliseconds max_start{3'000};
};

class Listener;

// What listeners and their hub share; listeners may be destroyed after it.
struct Listeners {
  Listeners(boost::asio::io_context& context_, StreamSettings settings_)
      : context(context_), settings(settings_), places(settings.max_listeners, 1, settings.reserved) {}
  boost::asio::io_context& context;
  StreamSettings settings;
  std::list<Listener*> all;
  async::Shares<model::Uuid> places;  // of `all`, by organization
  async::Event laggards;              // pulsed: one of them is to be read for
  model::Uuid epoch;                  // of the feed
  std::uint64_t told = 0;
};

// One event as it is told: all who hear it share the text.
struct Told {
  std::int64_t position = 0;
  std::int32_t index = 0;  // of the change; Position::kWhole where it is the last one of the event for its organization
  identity::PermissionSet permissions;  // who has them all hears this
  std::shared_ptr<const std::string> text;
};

// One client's stream: the answer's body.
class Listener final : public http::BodySource {
 public:
  // Who listens is of the organization and has these permissions there.
  Listener(std::shared_ptr<Listeners> all, const model::Uuid& organization, identity::PermissionSet permissions,
           std::chrono::seconds wait);
  ~Listener() override;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Blocks of text/event-stream, as they come; a heartbeat when nothing does; empty when the stream is over.
  awaitable<std::string_view> next() override;

 private:
  friend class Hub;
  enum class State { starting, behind, live };

  // Queues an event, unless it was told before or is not for this listener; false when there is no room for it.
  bool emit(const Told& told);
  // There was nothing else for it up to this position.
  void move_to(std::int64_t position);
  void push(std::shared_ptr<const std::string> text);
  void wake() { timer_.cancel(); }
  void end();  // after what is queued
  bool is_over() const;
  Position place() const { return {all_->epoch, done_, Position::kWhole}; }

  std::shared_ptr<Listeners> all_;
  std::list<Listener*>::iterator at_;
  model::Uuid organization_;
  async::Slot<model::Uuid> share_;
  identity::PermissionSet permissions_;
  boost::asio::steady_timer timer_;
  Clock::time_point until_, next_heartbeat_;
  State state_ = State::starting;
  bool ended_ = false;
  bool goes_on_ = false;       // it is behind, had room for all that was read for it, and there is more
  std::uint64_t turn_ = 0;     // since when it waits to be read for, while it is behind
  bool moved_ = false;         // further than the last id that it was given
  model::Uuid epoch_;          // that `done_` is of, while it is behind
  std::int64_t done_ = 0;      // all up to this position was told
  std::int32_t partial_ = -1;  // and of the event behind it the changes up to this one
  std::deque<std::shared_ptr<const std::string>> queue_;
  std::size_t octets_ = 0;
  std::string piece_;
};

}  // namespace parley::conversations::stream
