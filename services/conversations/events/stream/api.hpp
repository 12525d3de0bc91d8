#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "conversations/events/stream/hub.hpp"

namespace parley::conversations::stream {

// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, chassis::EventFeed& feed, StreamSettings settings = {});

  void start();
  void stop() { hub_.stop(); }
  Hub& hub() { return hub_; }

 private:
  awaitable<http::Response> listen(chassis::Call& call);
  void show();

  chassis::Process& process_;
  Hub hub_;
};

}  // namespace parley::conversations::stream
