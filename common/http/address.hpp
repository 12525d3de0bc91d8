#pragma once
#include <boost/asio/ip/address.hpp>
#include <string>
#include <string_view>

namespace parley::http {

// What stands for one caller when attempts or requests are counted by address: an IPv4 address (an IPv4-mapped one as
// what it maps to), or the /64 of an IPv6 address, as that is the least that a subscriber is given. What is no address
// stands for itself.
std::string network_of(std::string_view address);

// The same more widely: the /48 of an IPv6 address, which is what a site is given (RFC 6177), with 65,536 /64s in it.
std::string site_of(std::string_view address);

// Whether an address is one of the public internet: not of a private, shared (CGNAT), link-local, loopback,
// unique-local, multicast, documentation or reserved network (IANA's special-purpose registries, RFC 6890), nor an IPv6
// one that stands for an IPv4 address (mapped, NAT64, 6to4, Teredo).
bool is_public(const boost::asio::ip::address& address);

}  // namespace parley::http
