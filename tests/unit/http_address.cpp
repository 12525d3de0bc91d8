// Which addresses are of the public internet, and so may be called for a URL that a stranger gave.
#include "common/http/address.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace parley;

namespace {

bool is_public(const std::string& text) { return http::is_public(boost::asio::ip::make_address(text)); }

}  // namespace

TEST_SUITE("unit: addresses") {
  TEST_CASE("public addresses are public, up to the edges of what is not") {
    for (const std::string text :
         {"1.1.1.1",         "8.8.8.8",         "9.255.255.255",   "11.0.0.0",         "100.63.255.255",
          "100.128.0.0",     "126.255.255.255", "128.0.0.1",       "169.253.255.255",  "169.255.0.0",
          "172.15.255.255",  "172.32.0.0",      "191.255.255.255", "192.0.1.0",        "192.0.3.0",
          "192.88.98.255",   "192.88.100.0",    "192.167.255.255", "192.169.0.0",      "198.17.255.255",
          "198.20.0.0",      "198.51.99.255",   "198.51.101.0",    "203.0.112.255",    "203.0.114.0",
          "223.255.255.255", "2000::1",         "2001:200::1",     "2001:db7:ffff::1", "2001:db9::1",
          "2003::1",         "2606:4700::1111", "2a00:1450::1",    "3ffe:ffff::1",     "3fff:1000::1"}) {
      INFO(text);
      CHECK(is_public(text));
    }
  }

  TEST_CASE("no address of the inside, of nobody, of many, or in disguise") {
    for (const std::string text : {"0.0.0.0",
                                   "0.255.255.255",
                                   "10.0.0.0",
                                   "10.255.255.255",
                                   "100.64.0.0",
                                   "100.127.255.255",
                                   "127.0.0.1",
                                   "127.255.255.255",
                                   "169.254.0.0",
                                   "169.254.169.254",
                                   "172.16.0.0",
                                   "172.31.255.255",
                                   "192.0.0.1",
                                   "192.0.0.170",
                                   "192.0.2.1",
                                   "192.88.99.1",
                                   "192.168.0.0",
                                   "192.168.255.255",
                                   "198.18.0.0",
                                   "198.19.255.255",
                                   "198.51.100.7",
                                   "203.0.113.9",
                                   "224.0.0.1",
                                   "239.255.255.255",
                                   "240.0.0.1",
                                   "255.255.255.255",
                                   "::",
                                   "::1",
                                   "::7f00:1",
                                   "::ffff:127.0.0.1",
                                   "::ffff:10.0.0.1",
                                   "::ffff:8.8.8.8",
                                   "64:ff9b::808:808",
                                   "64:ff9b:1::1",
                                   "100::1",
                                   "1fff:ffff::1",
                                   "2001::1",
                                   "2001:1::1",
                                   "2001:1ff::1",
                                   "2001:db8::1",
                                   "2002:7f00:1::1",
                                   "3fff::1",
                                   "3fff:fff::1",
                                   "4000::1",
                                   "5f00::1",
                                   "fc00::1",
                                   "fd00:ec2::254",
                                   "fe80::1",
                                   "fe80::1%1",
                                   "fec0::1",
                                   "ff02::1",
                                   "ff0e::1"}) {
      INFO(text);
      CHECK_FALSE(is_public(text));
    }
  }
}
