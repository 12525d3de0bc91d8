#pragma once
// Where to connect: a libpq connection string whose host names are looked up without blocking. Internal to common/pg.

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
  // Throws std::invalid_argument when libpq cannot parse it. Adds to what the string leaves open: keepalives, a user
  // timeout, UTF-8, no GSS; of several hosts, that only one which takes writes will do; and, of replicas, that only a
  // server in recovery will.
  explicit Address(const std::string& url, bool of_replicas = false);

  struct Parameters {
    std::vector<std::pair<std::string, std::string>> items;  // for PQconnectStartParams
  };
  // Looks up what has to be; with several hosts, begins at number `attempt`, so that one that hangs is passed by the
  // next time. A name that cannot be looked up in time keeps the addresses it had.
  boost::asio::awaitable<Parameters> resolve(boost::asio::io_context& context, unsigned attempt,
                                             std::chrono::milliseconds timeout);

 private:
  struct Host {
    std::string name, port;
  };
  boost::asio::awaitable<void> look_up(boost::asio::io_context& context, const std::string& name,
                                       std::chrono::milliseconds timeout);

  std::vector<std::pair<std::string, std::string>> items_;
  std::vector<Host> hosts_;                                    // empty: libpq's own affair
  std::map<std::string, std::vector<std::string>> addresses_;  // last known
};

}  // namespace parley::pg
