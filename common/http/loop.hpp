#pragma once
#include <boost/asio/io_context.hpp>

namespace parley::http {

// The one event loop of a process. Coroutines that still wait when it stops hold references to servers, clients and
// pools, which in turn hold sockets of the loop: neither could be destroyed first. So the loop ends before all of them.
class Loop : public boost::asio::io_context {
 public:
  Loop() : io_context(1) {}

  // Destroys all that waits in the loop, coroutines with what they own. It cannot be run again.
  void end() {
    stop();
    shutdown();
  }
};

}  // namespace parley::http
