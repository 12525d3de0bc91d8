#pragma once
// A libpq connection string whose host names are resolved without blocking. Internal to common/pg.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace parley::pg {

class Address {
 public:
  // Throws std::invalid_argument when libpq cannot parse `url`. Adds defaults to it: keepalives, a user timeout, UTF-8,
  // no GSS; with several hosts, only a server that accepts writes, or, with `of_replicas`, only one in recovery.
  explicit Address(const std::string& url, bool of_replicas = false);

  struct Parameters {
    std::vector<std::pair<std::string, std::string>> items;  // for PQconnectStartParams
  };
  // Resolves the host names. With several hosts the list starts at host `attempt`, so that the next attempt passes a
  // host that hangs. A name that cannot be resolved in time keeps its last known addresses.
  boost::asio::awaitable<Parameters> resolve(boost::asio::io_context& context, unsigned attempt,
                                             std::chrono::milliseconds timeout);

 private:
  struct Host {
    std::string name, port;
  };
  boost::asio::awaitable<void> look_up(boost::asio::io_context& context, const std::string& name,
                                       std::chrono::milliseconds timeout);

  std::vector<std::pair<std::string, std::string>> items_;
  std::vector<Host> hosts_;                                    // empty: libpq resolves the host
  std::map<std::string, std::vector<std::string>> addresses_;  // last known
};

}  // namespace parley::pg
