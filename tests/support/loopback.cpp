#include "tests/support/loopback.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>

namespace parley::support {
namespace {

constexpr int kFirst = 20000, kCount = 12000;

int new_socket(int family) { return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0); }

int bind(int socket, const sockaddr_in& address) {
  return ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

// Among test processes: an abstract socket name belongs to one process, and is released however it ends (unix(7)).
bool reserve(int port) {
  const std::string name = "parley-tests-port-" + std::to_string(port);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(name.begin(), name.end(), address.sun_path + 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int reservation = new_socket(AF_UNIX);
  if (::bind(reservation, reinterpret_cast<sockaddr*>(&address), length) == 0) return true;  // held until exit
  ::close(reservation);
  return false;
}

bool nobody_listens(int port) {
  const int socket = new_socket(AF_INET);
  const bool bound = bind(socket, loopback(port)) == 0;
  ::close(socket);
  return bound;
}

}  // namespace

sockaddr_in loopback(int port, unsigned after) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<in_port_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + after);
  return address;
}

int free_port() {
  std::random_device random;
  for (int tries = 0; tries < 1000; ++tries) {
    const int port = kFirst + static_cast<int>(random() % kCount);
    if (reserve(port) && nobody_listens(port)) return port;
  }
  throw std::runtime_error("no free port");
}

Listener listen(sockaddr_in address) {
  Listener out{new_socket(AF_INET)};
  socklen_t length = sizeof address;
  if (bind(out.socket, address) != 0 || ::listen(out.socket, 256) != 0 ||
      ::getsockname(out.socket, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    const int error = errno;
    ::close(out.socket);
    throw std::system_error(error, std::generic_category(), "cannot listen");
  }
  out.port = ntohs(address.sin_port);
  return out;
}

}  // namespace parley::support
