#pragma once
#include <boost/asio/ip/address.hpp>
#include <string>
#include <string_view>

namespace parley::http {

// Returns the key by which attempts or requests of one caller are counted: an IPv4 address (also an IPv4-mapped one) or
// the /64 of an IPv6 address, the smallest network given to a subscriber; any other text unchanged.
std::string network_of(std::string_view address);

// The same with the /48 of an IPv6 address, the network given to a site (RFC 6177), which has 65,536 /64s.
std::string site_of(std::string_view address);

// Whether an address is public: not private, shared (CGNAT), link-local, loopback, unique-local, multicast,
// documentation or reserved (IANA's special-purpose registries, RFC 6890), and not an IPv6 address that embeds an IPv4
// one (mapped, NAT64, 6to4, Teredo).
bool is_public(const boost::asio::ip::address& address);

}  // namespace parley::http
