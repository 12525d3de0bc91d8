#pragma once
#include <chrono>

#include "common/chassis/environment.hpp"
#include "conversations/campaigns/links/urls.hpp"

namespace parley::conversations::dispatch {

struct Settings {
  double rate = 80;                     // messages per second and number; 0: no limit
  std::chrono::seconds doubt{15 * 60};  // how long an unknown outcome stays open
  std::chrono::milliseconds lease{10'000};
  std::chrono::milliseconds takeover_pause{1'000};  // after an owner that did not release the number
  std::chrono::milliseconds look_pause{100};        // between two looks for due messages
  std::chrono::milliseconds stop_pause{60'000};     // until a stopped number is tried again
  std::chrono::seconds idle_time{30};               // a number without work is released after this time
  std::size_t numbers = 1'000;                      // owned at once
  std::size_t in_flight = 1'000;                    // messages, of all numbers
  std::string public_url = "http://127.0.0.1";      // prefix of links, without a trailing slash

  static std::chrono::seconds read_doubt(chassis::Environment& environment) {
    return std::chrono::seconds(environment.number("PARLEY_DISPATCH_DOUBT_SECONDS", 15 * 60, 1, 86'400));
  }
  // Reads PARLEY_DISPATCH_RATE, PARLEY_DISPATCH_DOUBT_SECONDS, PARLEY_DISPATCH_LEASE_SECONDS, PARLEY_PUBLIC_URL.
  static Settings read(chassis::Environment& environment) {
    Settings out;
    out.rate = static_cast<double>(environment.number("PARLEY_DISPATCH_RATE", 80, 0, 100'000));
    out.doubt = read_doubt(environment);
    out.lease = std::chrono::seconds(environment.number("PARLEY_DISPATCH_LEASE_SECONDS", 10, 1, 300));
    out.public_url = links::read_public_url(environment);
    return out;
  }
};

}  // namespace parley::conversations::dispatch
