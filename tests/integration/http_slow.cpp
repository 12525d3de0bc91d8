// Slow and idle clients. Limits are shortened, and only outcomes are looked at: never a time.
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "tests/integration/http_bed.hpp"

using namespace parley;
using namespace parley::http_tests;

TEST_CASE("slow: a head that does not come to its end") {
  TestServer server({.head_time = 300ms, .idle_time = 60s});
  SUBCASE("is answered 408") {
    auto wire = server.wire();
    REQUIRE(wire.send("GET /echo HTTP/1.1\r\nHo"));
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->status == 408);
    CHECK(wire.ended());
  }
  SUBCASE("also on a connection that has served") {
    auto wire = server.wire();
    CHECK(wire.ask(get("/echo?x"))->status == 200);
    REQUIRE(wire.send("G"));
    CHECK(wire.answer()->status == 408);
    CHECK(wire.ended());
  }
  SUBCASE("and though an octet comes now and then") {
    auto wire = server.wire();
    for (const char octet : std::string("GET /echo HTTP/1.1\r\nHost: a\r\nX: 123456789"))
      if (wire.send({&octet, 1})) std::this_thread::sleep_for(30ms);
    CHECK(wire.answer()->status == 408);
  }
  SUBCASE("never begun, it ends without a word") {
    CHECK(server.wire().rest() == "");
    CHECK(server.wait_for([](const auto& stats) { return stats.connections == 0; }));
    CHECK(server.stats().faults.empty());
  }
}

TEST_CASE("slow: idle connections live as long as idle_time") {
  TestServer server({.head_time = 60s, .idle_time = 300ms});
  auto wire = server.wire();
  CHECK(wire.ask(get("/echo?x"))->keep_alive);
  CHECK(wire.ended());
}

namespace {

// Octets that the kernel has of the server's connections and nobody has taken (proc(5), /proc/net/tcp).
long unsent_at(unsigned short port) {
  std::ifstream file("/proc/net/tcp");
  std::string line;
  long octets = 0;
  for (std::getline(file, line); std::getline(file, line);) {
    unsigned local = 0, state = 0, queue = 0;
    if (std::sscanf(line.c_str(), " %*d: %*x:%x %*x:%*x %x %x:", &local, &state, &queue) == 3 && local == port &&
        state == 1)
      octets += queue;
  }
  return octets;
}

}  // namespace

TEST_CASE("slow: what a client does not read stays here, and is not megabytes of the kernel's") {
  TestServer server;
  auto wire = server.wire();
  wire.receive_little();
  REQUIRE(wire.send(get("/large?16000000")));
  // Until it does not grow any more.
  long before = 0, now = 0;
  for (int looks = 0; looks < 150 && (now == 0 || now != before); ++looks) {
    before = now;
    std::this_thread::sleep_for(200ms);
    now = unsent_at(server.port());
  }
  CHECK(now > 0);
  CHECK(now < 512 << 10);
}

TEST_CASE("slow: a body that does not come to its end") {
  TestServer server({.body_time = 300ms});
  SUBCASE("wanted") {
    auto wire = server.wire();
    REQUIRE(wire.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello"));
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->status == 408);
    CHECK(wire.ended());
  }
  SUBCASE("not wanted") {
    auto wire = server.wire();
    REQUIRE(wire.send("POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello"));
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->body == "ignored");
    CHECK(wire.ended());
  }
  SUBCASE("its time passing while the handler is busy") {
    auto wire = server.wire();
    REQUIRE(wire.send("POST /dawdle?800 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello"));
    CHECK(wire.answer()->status == 408);
    CHECK(wire.ended());
  }
  SUBCASE("a handler may take longer than the body") {
    auto wire = server.wire();
    CHECK(wire.ask(post("/dawdle?800", "hello"))->body == "5");
    CHECK(wire.ask(get("/echo?next"))->body == "next");
  }
}

TEST_CASE("slow: a streamed body has its time again with what comes of it") {
  TestServer server({.streamed = {"/echo", "/dawdle"}, .body_time = 2'000ms});
  SUBCASE("however long it takes, at a KiB a second or more") {
    auto wire = server.wire();
    REQUIRE(wire.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 20480\r\n\r\n"));
    for (int i = 0; i < 20; ++i) {
      std::this_thread::sleep_for(200ms);
      REQUIRE(wire.send(std::string(1024, 'x')));
    }
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->body == std::string(20'480, 'x'));
  }
  SUBCASE("but not with each octet") {
    auto wire = server.wire();
    REQUIRE(wire.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"));
    int sent = 0;
    for (; sent < 40 && server.stats().faults.empty(); ++sent, std::this_thread::sleep_for(150ms)) wire.send("x");
    CHECK(sent < 40);
    CHECK(wire.answer()->status == 408);
  }
  SUBCASE("a handler that is busy does not use it up") {
    auto wire = server.wire();
    REQUIRE(wire.send("POST /dawdle?2500 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello"));
    std::this_thread::sleep_for(2'700ms);
    REQUIRE(wire.send("world"));
    CHECK(wire.answer()->body == "10");
  }
  SUBCASE("and no longer") {
    auto wire = server.wire();
    REQUIRE(wire.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello"));
    CHECK(wire.answer()->status == 408);
    CHECK(wire.ended());
  }
}

TEST_CASE("slow: bodies that are gathered take no more memory than there is for them together") {
  TestServer server({.gathered = 1'000'000});
  const std::string most(200'000, 'x');
  std::vector<Wire> slow;
  for (int i = 0; i < 4; ++i) {  // they take from 0.8 to 1.6 MB, as memory grows in steps
    slow.push_back(server.wire());
    REQUIRE(slow.back().send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 200001\r\n\r\n" + most));
  }
  std::optional<Answer> refused;
  for (int i = 0; i < 5 && (!refused || refused->status == 200); ++i) {
    slow.push_back(server.wire());
    REQUIRE(slow.back().send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 200001\r\n\r\n" + most));
    refused = server.wire().ask(post("/echo", most));
    REQUIRE(refused);
  }
  CHECK(refused->status == 503);
  CHECK(refused->field("Retry-After") == "1");
  CHECK(server.wire().ask(post("/echo", "short"))->body == "short");  // lies in the connection's buffer
  CHECK(server.stats().bodies.taken <= 1'000'000);
  CHECK(server.stats().bodies.refused >= 1);
  for (auto& wire : slow) wire.shut();
  CHECK(server.wait_for([](const auto& stats) { return stats.bodies.taken == 0; }));
  CHECK(server.wire().ask(post("/echo", most))->body == most);
  CHECK(server.stats().bodies.taken == 0);
}

TEST_CASE("slow: who does not read the answer is cut off") {
  TestServer server({.write_time = 300ms});
  std::string many;
  for (int i = 0; i < 1000; ++i) many += get("/large?50000");
  std::size_t clients = 0;
  for (const auto& requests : {get("/large?50000000"), many}) {
    auto wire = server.wire();
    wire.receive_little();
    wire.send(requests);
    ++clients;
    CHECK(server.wait_for([&](const auto& stats) { return stats.accepted == clients && stats.connections == 0; }));
  }
  CHECK(server.wire().ask(get("/echo?x"))->body == "x");
}

TEST_CASE("slow: five hundred slow clients do not hinder the others") {
  allow_many_descriptors();
  TestServer server({.head_time = 3s});
  std::vector<Wire> slow;
  for (int i = 0; i < 500; ++i) {
    slow.push_back(server.wire());
    slow.back().send("GET /echo HTTP/1.1\r\n");
  }
  for (int round = 0; round < 5; ++round) {
    for (auto& wire : slow) wire.send("X");
    auto good = server.wire();
    for (int i = 0; i < 20; ++i) {
      const auto answer = good.ask(get("/echo?" + std::to_string(i)));
      REQUIRE(answer);
      CHECK(answer->body == std::to_string(i));
    }
  }
  int refused = 0;
  for (auto& wire : slow) {
    const auto answer = wire.answer();
    refused += answer && answer->status == 408;
  }
  CHECK(refused == 500);
}
