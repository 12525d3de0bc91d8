#pragma once
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace parley::http {

class Session;

// An IPv4 address or an IPv6 /48 with at least one open connection.
struct Network {
  std::size_t connections = 0;
  std::map<std::string, std::size_t> by_subscriber;  // the same by network_of(): per /64 of a /48
  std::uint64_t buffered = 0;                        // octets that its connections hold beyond their basic need
  std::list<Session*> sessions;                      // used by the server only
};

// Counts each network's use of a server, so that none can take all of it.
class Networks {
 public:
  // At most `most` connections per IPv4 address or IPv6 /64, and four times as many per /48.
  explicit Networks(std::size_t most) : most_(most) {}
  Networks(const Networks&) = delete;
  Networks& operator=(const Networks&) = delete;

  // Returns nullptr, and counts nothing, beyond the bound.
  Network* enter(std::string_view address);
  // Destroys a network without connections.
  void leave(Network& network, std::string_view address);
  void hold(Network& network, std::uint64_t before, std::uint64_t after);

  Network* find(std::string_view address) const;
  // Ascending by the memory that their connections take.
  const std::set<std::pair<std::uint64_t, Network*>>& by_weight() const { return by_weight_; }

 private:
  static std::uint64_t weight_of(const Network& network);
  template <class Change>
  void change(Network& network, Change change);

  std::size_t most_;
  std::unordered_map<std::string, Network> networks_;
  std::set<std::pair<std::uint64_t, Network*>> by_weight_;
};

}  // namespace parley::http
