#pragma once
#include <string>
#include <string_view>

namespace parley::http {

// What stands for one caller when attempts or requests are counted by address: an IPv4 address (an IPv4-mapped one as
// what it maps to), or the /64 of an IPv6 address, as that is the least that a subscriber is given. What is no address
// stands for itself.
std::string network_of(std::string_view address);

}  // namespace parley::http
