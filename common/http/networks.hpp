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

// An IPv4 address or the /48 of an IPv6 one, as long as connections come from it.
struct Network {
  std::size_t connections = 0;
  std::map<std::string, std::size_t> by_subscriber;  // the same, by network_of(): of a /48 its /64s
  std::uint64_t buffered = 0;                        // octets that its connections hold beside what each one needs
  std::list<Session*> sessions;                      // the server's; nothing here looks at them
};

// How much of a server each network has, so that one of them cannot take all of it.
class Networks {
 public:
  // At most `most` connections of an IPv4 address or an IPv6 /64, and four times as many of a /48.
  explicit Networks(std::size_t most) : most_(most) {}
  Networks(const Networks&) = delete;
  Networks& operator=(const Networks&) = delete;

  // Counts a connection from this address; nullptr, and nothing counted, when it would be one too many.
  Network* enter(std::string_view address);
  // Its end. A network that has no other is gone then.
  void leave(Network& network, std::string_view address);
  // One of its connections holds `after` octets in place of `before`.
  void hold(Network& network, std::uint64_t before, std::uint64_t after);

  // The one that the address is in; nullptr when it has no connection.
  Network* find(std::string_view address) const;
  // By the memory that their connections take, the least first.
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
