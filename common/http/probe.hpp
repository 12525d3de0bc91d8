#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <chrono>

#include "common/http/client.hpp"

namespace parley::http {

// Asks a server of this machine one GET, in a loop of its own, and gives its answer; for commands that look after a
// process, such as `health`. `listens` is where that process listens: if on all addresses, loopback is asked. Throws
// Unreachable when there is no connection or no octet for `time`, or no whole answer after twice of that.
ClientResponse probe(const boost::asio::ip::tcp::endpoint& listens, std::string target, std::chrono::milliseconds time);

}  // namespace parley::http
