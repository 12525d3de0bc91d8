#pragma once
// Addresses of this machine alone (127.0.0.0/8), for servers and clients that tests start.

#include <netinet/in.h>

namespace parley::support {

// 127.0.0.1, or the address so many after it.
sockaddr_in loopback(int port, unsigned after = 0);

// A port that nobody listens on and that stays the caller's until this process ends: no test that runs beside it is
// given it, and it lies outside the range that the kernel gives to outgoing connections, one of which could otherwise
// take it while its server is down for a moment. Throws std::runtime_error when there is none.
int free_port();

// A socket that listens on a port of the kernel's choice; the caller closes it. Throws std::system_error.
struct Listener {
  int socket = -1;
  int port = 0;
};
Listener listen(sockaddr_in address = loopback(0));

}  // namespace parley::support
