#pragma once
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/chassis/environment.hpp"
#include "common/http/message.hpp"

namespace parley::gateway {

// The proxies whose X-Forwarded-For the gateway trusts: PARLEY_TRUSTED_PROXIES, addresses and networks (10.0.0.0/8)
// separated by commas. None by default.
class TrustedProxies {
 public:
  static TrustedProxies read(chassis::Environment& environment);

  // Adds an address or a network; returns false for anything else.
  bool add(std::string_view text);
  bool contains(std::string_view address) const;

  // The client's address: the peer, or behind a trusted proxy the last address in X-Forwarded-For that is not a trusted
  // proxy. Earlier entries may be forged.
  std::string client_of(const http::Request& request) const;

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

}  // namespace parley::gateway
