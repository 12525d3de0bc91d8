#include "common/http/peer.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace parley::http {

Peer look_at_peer(int socket) {
  char octet;
  const auto got = ::recv(socket, &octet, 1, MSG_PEEK | MSG_DONTWAIT);
  if (got > 0) return Peer::sent;
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? Peer::quiet : Peer::closed;
}

}  // namespace parley::http
