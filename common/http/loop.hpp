#pragma once
#include <boost/asio/io_context.hpp>

namespace parley::http {

// The event loop of a process. Coroutines that still wait when it stops refer to servers, clients and pools, which in
// turn hold sockets of the loop, so neither side could be destroyed first: end() the loop before destroying them.
class Loop : public boost::asio::io_context {
 public:
  Loop() : io_context(1) {}

  // Destroys all pending coroutines and what they own. The loop cannot run again.
  void end() {
    stop();
    shutdown();
  }
};

}  // namespace parley::http
