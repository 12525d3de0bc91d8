#include "common/http/address.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace parley::http {

namespace ip = boost::asio::ip;

namespace {

std::string network_of(std::string_view text, unsigned short v6_prefix) {
  if (text.find(':') == text.npos) return std::string(text);  // IPv4, the common case
  boost::system::error_code error;
  const auto address = ip::make_address(text, error);
  if (error) return std::string(text);
  if (address.is_v4()) return address.to_string();
  const auto v6 = address.to_v6();
  if (v6.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, v6).to_string();
  return ip::network_v6(ip::address_v6(v6.to_bytes()), v6_prefix).canonical().to_string();
}

}  // namespace

std::string network_of(std::string_view address) { return network_of(address, 64); }
std::string site_of(std::string_view address) { return network_of(address, 48); }

namespace {

// Non-public IPv4 networks (the IANA IPv4 Special-Purpose Address Registry, all multicast and class E).
constexpr std::array<std::string_view, 15> kSpecialV4{
    "0.0.0.0/8",     "10.0.0.0/8",      "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24",    "192.0.2.0/24",   "192.88.99.0/24", "192.168.0.0/16",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4"};

// Only 2000::/3 is allocated as global unicast; not public in it: IETF protocols (with Teredo), documentation, 6to4.
constexpr std::string_view kGlobalV6 = "2000::/3";
constexpr std::array<std::string_view, 4> kSpecialV6{"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"};

bool is_in(const ip::address_v4& address, std::string_view network) {
  const auto known = ip::make_network_v4(std::string(network));
  return ip::network_v4(address, known.prefix_length()).canonical() == known;
}
bool is_in(const ip::address_v6& address, std::string_view network) {
  const auto known = ip::make_network_v6(std::string(network));
  // Drops the scope id, which would make the comparison fail.
  return ip::network_v6(ip::address_v6(address.to_bytes()), known.prefix_length()).canonical() == known;
}

}  // namespace

bool is_public(const ip::address& address) {
  const auto holds = [&](const auto& networks, const auto& one) {
    return std::any_of(networks.begin(), networks.end(), [&](auto network) { return is_in(one, network); });
  };
  if (address.is_v4()) return !holds(kSpecialV4, address.to_v4());
  return is_in(address.to_v6(), kGlobalV6) && !holds(kSpecialV6, address.to_v6());
}

}  // namespace parley::http
