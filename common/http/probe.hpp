#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <chrono>

#include "common/http/client.hpp"

namespace parley::http {

// Sends one GET to a server on this machine, in an event loop of its own, for commands such as `health`. `listens` is
// the server's listening address; for a wildcard address loopback is asked. Throws Unreachable when there is no
// connection or no octet for `time`, or no complete response within twice that.
ClientResponse probe(const boost::asio::ip::tcp::endpoint& listens, std::string target, std::chrono::milliseconds time);

}  // namespace parley::http
