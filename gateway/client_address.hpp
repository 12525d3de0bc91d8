#pragma once
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/chassis/environment.hpp"
#include "common/http/message.hpp"

namespace parley::gateway {

// The proxies in front of the gateway that are believed when they say for whom they ask: PARLEY_TRUSTED_PROXIES,
// addresses and networks (10.0.0.0/8) with commas between them. Nobody, by default.
class TrustedProxies {
 public:
  static TrustedProxies read(chassis::Environment& environment);

  // Adds an address or a network; false for what is neither.
  bool add(std::string_view text);
  bool contains(std::string_view address) const;

  // The address of whoever sent the request: the peer's, or where that is a trusted proxy, the last one in
  // X-Forwarded-For that is none. What stands before it there anybody could have written.
  std::string client_of(const http::Request& request) const;

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

}  // namespace parley::gateway
