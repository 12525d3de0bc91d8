#pragma once

#include <netinet/in.h>

namespace parley::support {

// 127.0.0.1 plus `after`.
sockaddr_in loopback(int port, unsigned after = 0);

// Reserved among test processes until this one ends, and outside the range of outgoing connections. Throws
// std::runtime_error if there is none.
int free_port();

// A socket that listens on a port chosen by the kernel; the caller closes it. Throws std::system_error.
struct Listener {
  int socket = -1;
  int port = 0;
};
Listener listen(sockaddr_in address = loopback(0));

}  // namespace parley::support
