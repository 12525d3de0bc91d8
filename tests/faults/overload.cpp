// More connections and more requests than there is room for: what is served is served as well as at the peak, and the
// rest is refused quickly.
//
// PARLEY_FAULTS_BURST_SECONDS (15)
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::System;

namespace {

// From another address of loopback each `from`; -1 when it is refused.
int connect_from(int port, int from) {
  const int out = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (out < 0) throw std::runtime_error("no more sockets");
  const auto ours = support::loopback(0, static_cast<unsigned>(from)), theirs = support::loopback(port);
  if (::bind(out, reinterpret_cast<const sockaddr*>(&ours), sizeof ours) == 0 &&
      ::connect(out, reinterpret_cast<const sockaddr*>(&theirs), sizeof theirs) == 0)
    return out;
  ::close(out);
  return -1;
}

// The clients have the last core to themselves: what they need must not be taken for what the system cannot do. Those
// of a thread are passed on to the processes that it starts.
class Cores {
 public:
  Cores() {
    ::sched_getaffinity(0, sizeof all_, &all_);
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &all_)) --last;
    CPU_ZERO(&clients_);
    CPU_SET(last, &clients_);
    auto servers = all_;
    CPU_CLR(last, &servers);
    if (CPU_COUNT(&all_) > 1) take(servers);
  }
  ~Cores() { take(all_); }
  void take_clients() const { take(clients_); }

 private:
  static void take(const cpu_set_t& cores) { ::sched_setaffinity(0, sizeof cores, &cores); }

  cpu_set_t all_{}, clients_{};
};

struct Goodput {
  std::size_t served = 0, refused = 0, other = 0;
  double refusal_median = 0, served_p99 = 0;  // milliseconds
};

// So many clients, each asking again as soon as it is answered.
Goodput drive(System& system, const Cores& cores, const std::string& request, int clients, std::chrono::seconds time) {
  std::mutex mutex;
  Goodput out;
  std::vector<double> refusals, served;
  std::vector<std::thread> threads;
  const auto end = Clock::now() + time;
  for (int i = 0; i < clients; ++i)
    threads.emplace_back([&] {
      cores.take_clients();
      Caller caller(system);
      std::vector<double> mine, refused;
      std::size_t other = 0;
      while (Clock::now() < end) {
        const auto begin = Clock::now();
        const auto answer = caller.send(request, true);
        const double took = seconds_since(begin) * 1000;
        if (answer.status == 200)
          mine.push_back(took);
        else if (answer.status == 503)
          refused.push_back(took);
        else
          ++other;
        // As Retry-After asks for, more or less: who hammers on is not served better.
        if (answer.status != 200) std::this_thread::sleep_for(20ms);
      }
      const std::lock_guard lock(mutex);
      out.other += other;
      served.insert(served.end(), mine.begin(), mine.end());
      refusals.insert(refusals.end(), refused.begin(), refused.end());
    });
  for (auto& thread : threads) thread.join();
  std::sort(refusals.begin(), refusals.end());
  std::sort(served.begin(), served.end());
  out.served = served.size();
  out.refused = refusals.size();
  if (!refusals.empty()) out.refusal_median = refusals[refusals.size() / 2];
  if (!served.empty()) out.served_p99 = served[served.size() * 99 / 100];
  return out;
}

}  // namespace

TEST_CASE("overload: twelve thousand connections are no more than the bound, and who is served is served on" *
          doctest::skip(!is_long())) {
  System system;
  const auto owner = system.create_owner("crowd@example.com", "Crowd");
  e2e::Client client(system, owner.api_key);
  REQUIRE_EQ(client.get("/api/contacts").status, 200);
  std::vector<int> sockets;
  int refused = 0;
  double most = 0;  // open at once
  std::atomic<bool> done = false;
  std::thread watch([&] {
    for (; !done; std::this_thread::sleep_for(50ms))
      most = std::max(most, system.gateway().metric("http_connections_open"));
  });
  const auto begin = Clock::now();
  for (int n = 0; n < 12'000; ++n) {
    const int socket = connect_from(system.gateway().port(), 1 + n / 200);
    if (socket < 0)
      ++refused;
    else
      sockets.push_back(socket);
  }
  std::this_thread::sleep_for(500ms);
  done = true;
  watch.join();
  MESSAGE(sockets.size() << " connections made in " << seconds_since(begin) << " s, " << refused
                         << " refused; the gateway had " << most << " open at most, its memory "
                         << system.gateway().metric("process_resident_memory_bytes") / 1048576 << " MiB");
  CHECK_LE(most, 10'000);
  for (int i = 0; i < 20; ++i) CHECK_EQ(client.get("/api/contacts").status, 200);  // over its own, kept
  CHECK(system.gateway().log().find("Too many open files") == std::string::npos);
  for (const int socket : sockets) ::close(socket);
  e2e::wait_for("there is room again", [&] {
    try {
      return e2e::Client(system, owner.api_key).get("/api/contacts").status == 200;
    } catch (const std::exception&) {
      return false;
    }
  });
  CHECK(system.gateway().running());
}

TEST_CASE("overload: many times more clients than can be served cost the served ones little" *
          doctest::skip(!is_long())) {
  const auto time = std::chrono::seconds(option("PARLEY_FAULTS_BURST_SECONDS", 15));
  const Cores cores;
  System system({.replicas = 1, .environment = {{"PARLEY_CONNECTIONS_ADDRESS", "1000"}}});  // they have one address
  const auto organization = e2e::fill(system, "Burst", 45);
  const auto request = support::request_text("GET", "/api/contacts?per_page=20",
                                             {{"Authorization", "Bearer " + organization.owner.api_key}});
  drive(system, cores, request, 16, 2s);  // warm
  const auto peak = drive(system, cores, request, 16, 5s);
  const auto burst = drive(system, cores, request, 700, time);
  const auto calm = Clock::now();
  Caller caller(system);
  while (caller.send(request, true).status != 200) REQUIRE_LT(seconds_since(calm), 30);
  const double recovered = seconds_since(calm);
  const auto after = drive(system, cores, request, 16, 3s);
  const auto rate = [](const Goodput& g, double seconds) { return static_cast<double>(g.served) / seconds; };
  const double ratio = rate(burst, static_cast<double>(time.count())) / rate(peak, 5);
  MESSAGE("16 clients: " << rate(peak, 5) << "/s, p99 " << peak.served_p99
                         << " ms; 700 clients: " << rate(burst, static_cast<double>(time.count())) << "/s served ("
                         << ratio << " of the peak), p99 " << burst.served_p99 << " ms, " << burst.refused
                         << " refused, median " << burst.refusal_median << " ms, " << burst.other
                         << " else; served again " << recovered << " s later, at " << rate(after, 3) << "/s");
  CHECK_EQ(burst.other, 0);
  CHECK_GT(ratio, 0.5);  // wanted: 0.9, which a gateway has that shares no core with services and databases
}
