#pragma once

namespace parley::http {

enum class Peer {
  quiet,   // there is nothing to read
  sent,    // there is
  closed,  // its side, or the connection is broken
};

// What the other side of a connected socket has done, without reading it.
Peer look_at_peer(int socket);

}  // namespace parley::http
