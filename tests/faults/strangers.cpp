// As many connections as there may be, with as much on them as they can hold: those whose they are not are served, and
// the gateway stays within the memory that its manifest gives it.
#include <sys/resource.h>

#include "tests/faults/traffic.hpp"
#include "tests/support/memory_limit.hpp"

using namespace parley;
using namespace parley::faults;
using support::System;
using support::Wire;

namespace {

constexpr int kConnections = 10'000;  // PARLEY_CONNECTIONS
constexpr int kCrowd = kConnections + 200;

bool has_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;  // the gateway's too, as it is our child
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_max > kCrowd + 1'000;
}

double resident(System& system) { return system.gateway().metric("process_resident_memory_bytes") / (1 << 20); }

std::string long_fields(std::size_t octets) {
  std::string out;
  for (int i = 0; out.size() < octets; ++i) out += "X-" + std::to_string(i) + ": " + std::string(400, 'y') + "\r\n";
  return out;
}

std::string sign_in(std::size_t length, const std::string& fields = "") {
  return "POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + fields +
         "Content-Length: " + std::to_string(length) + "\r\n\r\n";
}

// Connections from so many addresses, each of which has sent the same.
std::vector<Wire> crowd(System& system, int count, unsigned addresses, const std::string& octets) {
  std::vector<Wire> out;
  for (int i = 0; i < count; ++i) {
    out.emplace_back(system.gateway().port(), 1000 + static_cast<unsigned>(i) % addresses);
    out.back().send(octets);
  }
  return out;
}

void check_served(System& system, const std::string& key) {
  for (unsigned i = 0; i < 20; ++i) {
    Wire wire(system.gateway().port(), 10 + i);
    wire.send(support::request_text("GET", "/api/contacts", {{"Authorization", "Bearer " + key}}));
    const auto answer = wire.read();
    REQUIRE(answer);
    CHECK_EQ(answer->status, 200);
  }
}

}  // namespace

TEST_CASE("strangers: whatever they fill it with, others are served, and the gateway keeps to its memory") {
  if (!has_descriptors()) {
    MESSAGE("not run: it needs " << kCrowd + 1'000 << " file descriptors");
    return;
  }
  System system;
  const auto owner = system.create_owner("crowd@example.com", "Crowd");
  const double limit = support::memory_limit("gateway/memory.yaml") / (1 << 20);
  const auto octets_of = [&](const char* metric) { return system.gateway().metric(metric); };
  struct Attack {
    std::string name, octets;
    unsigned addresses;
  };
  const std::vector<Attack> attacks{
      {"what is answered, and then nothing, from three addresses", "HEAD /docs HTTP/1.1\r\nHost: a\r\n\r\n", 3},
      {"nothing", "", 40},
      {"long heads without their ends", "GET / HTTP/1.1\r\nHost: a\r\n" + long_fields(15'000), 40},
      {"long heads, and bodies that do not come", sign_in(10'000, long_fields(15'000)), 40},
      {"bodies that do not end", sign_in(16'000) + std::string(15'900, ' '), 200},
      {"the document, which they do not read", "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", 40},
  };
  for (const auto& attack : attacks) {
    INFO(attack.name);
    const auto wires = crowd(system, kCrowd, attack.addresses, attack.octets);
    check_served(system, owner.api_key);
    MESSAGE(attack.name << ": " << octets_of("http_connections_open") << " connections, "
                        << octets_of("http_connections_evicted_total") << " closed for others so far, "
                        << octets_of("http_connections_refused_total") << " refused; heads and bodies on their way "
                        << octets_of("http_read_buffer_bytes") / (1 << 20) << " MiB, gathered "
                        << octets_of("http_gathered_bytes") / (1 << 20) << " MiB; resident " << resident(system)
                        << " of " << limit << " MiB");
    CHECK_LE(octets_of("http_connections_open"), kConnections);
    CHECK_LE(octets_of("http_read_buffer_bytes"), 24 << 20);
    CHECK_LE(octets_of("http_gathered_bytes"), 32 << 20);
    CHECK_LT(resident(system), limit);
  }
  CHECK(system.gateway().running());
}
