#pragma once
#include <string>

#include "common/async/loop.hpp"
#include "common/events/feed.hpp"
#include "common/redis/client.hpp"
#include "conversations/events/presence/shapes.hpp"
#include "conversations/events/stream/hub.hpp"

namespace parley::conversations::presence {

using boost::asio::awaitable;

// Who looks at what, on its way to the streams of all replicas: over a stream in Redis, of a bounded length, that is
// gone a minute after the last entry. A replica reads it while it has listeners. Without Redis only those of the
// replica that was told hear of it. Nothing of this is in the database, and nobody who comes back hears what they
// missed.
class Relay {
 public:
  Relay(boost::asio::io_context& context, redis::Client& redis, stream::Hub& hub, events::Report report);

  awaitable<void> tell(Presence presence);

  // Throws nothing.
  awaitable<void> follow() { return loop_.run(); }
  void stop() { loop_.request_stop(); }

 private:
  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> find_end();
  void tell_here(const Presence& presence);

  redis::Client& redis_;
  stream::Hub& hub_;
  async::Loop loop_;
  std::string read_to_;  // the last entry read; "" without listeners
};

}  // namespace parley::conversations::presence
