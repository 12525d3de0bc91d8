// How many connections there are, and how much of what they send is in memory: who makes room for whom.
#include <string>
#include <thread>

#include "tests/integration/http_bed.hpp"

using namespace parley;
using namespace parley::http_tests;

TEST_CASE("room: no more connections than the bound, later ones wait") {
  TestServer server({.connections = 5});
  std::vector<Wire> wires;
  for (int i = 0; i < 5; ++i) {
    wires.push_back(server.wire());
    CHECK(wires.back().ask(get("/echo?x"))->status == 200);
  }
  auto sixth = server.wire();
  sixth.send(get("/echo?sixth"));
  CHECK(wires[0].ask(get("/slow?100"))->status == 200);
  CHECK(server.stats().accepted == 5);
  wires.pop_back();
  CHECK(sixth.answer()->body == "sixth");
}

TEST_CASE("room: no more connections an address than the bound") {
  TestServer server({.connections_an_address = 3});
  std::vector<Wire> wires;
  for (int i = 0; i < 3; ++i) wires.push_back(server.wire());
  for (auto& wire : wires) wire.send("GET /echo");
  const auto all_have_begun = [](http::Server& s) { return s.stats().connections == 3; };
  REQUIRE(server.wait_for([](const auto& stats) { return stats.connections == 3; }));
  std::this_thread::sleep_for(100ms);
  REQUIRE(server.call(all_have_begun));
  CHECK(server.wire().rest() == "");
  CHECK(server.stats().faults.at("too_many_connections") == 1);
  CHECK(server.wire(1).ask(get("/echo?x"))->status == 200);  // another address
  wires.pop_back();
  CHECK(server.wait_for([](const auto& stats) { return stats.connections == 2; }));
  CHECK(server.wire().ask(get("/echo?x"))->status == 200);
}

TEST_CASE("room: of an address that has as many connections as may be, the one that is idle longest makes room") {
  TestServer server({.connections_an_address = 3});
  std::vector<Wire> wires;
  for (int i = 0; i < 3; ++i) {
    wires.push_back(server.wire());
    CHECK(wires.back().ask(get("/echo?x"))->status == 200);
    std::this_thread::sleep_for(250ms);  // some turns of the clock that tells how long they are idle
  }
  CHECK(wires[0].ask(get("/echo?x"))->status == 200);
  auto newcomer = server.wire();
  CHECK(newcomer.ask(get("/echo?x"))->status == 200);
  CHECK(wires[1].ended());
  CHECK(wires[0].ask(get("/echo?x"))->status == 200);
  CHECK(wires[2].ask(get("/echo?x"))->status == 200);
  CHECK(server.stats().made_room == 1);
  CHECK(server.stats().connections == 3);
}

TEST_CASE("room: when there is no room for another connection, who has most of them makes some") {
  TestServer server({.connections = 10, .connections_an_address = 7});
  const auto fill = [&](std::string_view begun) {
    std::vector<Wire> many;
    for (int i = 0; i < 7; ++i) {
      many.push_back(server.wire(1));
      if (!begun.empty()) many.back().send(begun);
    }
    return many;
  };
  for (const std::string begun : {"", "GET /echo", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"}) {
    INFO(begun);
    const auto before = server.stats().made_room;
    std::vector<Wire> few;
    for (int i = 0; i < 3; ++i) {
      few.push_back(server.wire(2));
      CHECK(few.back().ask(get("/echo?x"))->status == 200);
    }
    const auto many = fill(begun);
    REQUIRE(server.wait_for([](const auto& stats) { return stats.connections == 10; }));
    std::vector<Wire> newcomers;
    for (unsigned i = 3; i < 6; ++i) {
      newcomers.push_back(server.wire(i));
      CHECK(newcomers.back().ask(get("/echo?x"))->status == 200);
    }
    for (auto& wire : few) CHECK(wire.ask(get("/echo?x"))->status == 200);
    CHECK(server.stats().made_room == before + 3);
    CHECK(server.stats().connections <= 10);
  }
  CHECK(server.wait_for([](const auto& stats) { return stats.connections == 0; }));
}

TEST_CASE("room: who is served, or hears a stream, makes room for nobody; then others wait") {
  TestServer server({.connections = 3, .connections_an_address = 3});
  std::vector<Wire> busy;
  for (int i = 0; i < 3; ++i) {
    busy.push_back(server.wire(1));
    busy.back().send(get("/slow?1000"));
  }
  REQUIRE(server.wait_for([](const auto& stats) { return stats.serving == 3; }));
  CHECK(server.wire(2).ask(get("/echo?x"))->status == 200);
  for (auto& wire : busy) CHECK(wire.answer()->body == "slow");
}

TEST_CASE("room: proxies that are known have as many connections as there are, and make no room") {
  TestServer server({.connections = 5, .connections_an_address = 2, .is_exempt = [](std::string_view address) {
                       return address == "127.0.0.1";
                     }});
  std::vector<Wire> wires;
  for (int i = 0; i < 5; ++i) {
    wires.push_back(server.wire());
    CHECK(wires.back().ask(get("/echo?x"))->status == 200);
  }
  auto waiting = server.wire(1);
  waiting.send(get("/echo?waited"));
  for (auto& wire : wires) CHECK(wire.ask(get("/slow?50"))->status == 200);
  CHECK(server.stats().made_room == 0);
  wires.pop_back();
  CHECK(waiting.answer()->body == "waited");
}

TEST_CASE("room: long heads and bodies on their way take no more memory than there is for them together") {
  TestServer server({.connections_an_address = 100, .read_buffers = 200'000});
  const std::string long_field = "X: " + std::string(10'000, 'x') + "\r\n";
  const std::vector<std::string> begun{"GET /echo?x HTTP/1.1\r\nHost: a\r\n" + long_field,
                                       "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n" + long_field + "\r\n"};
  for (const auto& octets : begun) {
    std::vector<Wire> slow;
    for (unsigned i = 0; i < 60; ++i) {
      slow.push_back(server.wire(1 + i % 3));
      slow.back().send(octets);
      CHECK(server.stats().buffered <= 200'000);
    }
    REQUIRE(server.wait_for([](const auto& stats) { return stats.made_room > 20 && stats.buffered > 150'000; }));
    // Somebody else, with as long a head, and with a body behind it.
    CHECK(server.wire().ask(get("/echo?x", long_field))->body == "x");
    CHECK(server.wire().ask(post("/echo", std::string(20'000, 'b'), long_field))->body.size() == 20'000);
    slow.clear();
    CHECK(server.wait_for([](const auto& stats) { return stats.connections == 0; }));
    CHECK(server.stats().buffered == 0);
  }
}

TEST_CASE("room: what cannot have memory for its head is told so") {
  TestServer server({.read_buffers = 10'000});
  auto slow = server.wire();
  slow.send("GET /echo?x HTTP/1.1\r\nHost: a\r\nX: " + std::string(7'000, 'x'));
  REQUIRE(server.wait_for([](const auto& stats) { return stats.buffered > 0; }));
  auto late = server.wire();
  late.send("GET /echo?x HTTP/1.1\r\nHost: a\r\nX: " + std::string(9'000, 'x'));
  CHECK(late.answer()->status == 503);
  CHECK(server.stats().faults.at("no_room") == 1);
  CHECK(slow.ask("\r\n\r\n")->status == 200);
}

TEST_CASE("room: what a connection has read is given back when it is idle") {
  TestServer server({.read_buffers = 1'000'000});
  auto wire = server.wire();
  const std::string long_field = "X: " + std::string(15'000, 'x') + "\r\n";
  for (int i = 0; i < 3; ++i) {
    CHECK(wire.ask(get("/echo?x", long_field))->status == 200);
    CHECK(wire.ask(post("/echo", std::string(50'000, 'b'), long_field))->body.size() == 50'000);
    CHECK(server.wait_for([](const auto& stats) { return stats.buffered == 0; }));
  }
}
