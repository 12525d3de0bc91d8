// Slow, idle and numerous clients; draining. Limits are shortened, and only outcomes are looked at: never a time.
#include <algorithm>
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

TEST_CASE("slow: no more connections than the bound, later ones wait") {
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

TEST_CASE("slow: no more connections an address than the bound") {
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

TEST_CASE("slow: of an address that has as many connections as may be, the one that is idle longest makes room") {
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

TEST_CASE("slow: when there is no room for another connection, who has most of them makes some") {
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

TEST_CASE("slow: who is served, or hears a stream, makes room for nobody; then others wait") {
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

TEST_CASE("slow: proxies that are known have as many connections as there are, and make no room") {
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

TEST_CASE("slow: long heads and bodies on their way take no more memory than there is for them together") {
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

TEST_CASE("slow: what cannot have memory for its head is told so") {
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

TEST_CASE("slow: what a connection has read is given back when it is idle") {
  TestServer server({.read_buffers = 1'000'000});
  auto wire = server.wire();
  const std::string long_field = "X: " + std::string(15'000, 'x') + "\r\n";
  for (int i = 0; i < 3; ++i) {
    CHECK(wire.ask(get("/echo?x", long_field))->status == 200);
    CHECK(wire.ask(post("/echo", std::string(50'000, 'b'), long_field))->body.size() == 50'000);
    CHECK(server.wait_for([](const auto& stats) { return stats.buffered == 0; }));
  }
}

TEST_CASE("drain: answers are finished, idle connections end, nobody is reset") {
  TestServer server;
  auto idle = server.wire(), busy = server.wire(), busier = server.wire(), reading = server.wire();
  CHECK(idle.ask(get("/echo?x"))->keep_alive);
  busy.send(get("/slow?1500"));
  busier.send(get("/slow?1500") + get("/echo?too late"));
  reading.send("GET /echo?x HTTP/1.1\r\n");
  const auto stop = [](http::Server& s) {  // at once with seeing that both are being served
    const bool both = s.stats().serving == 2 && s.stats().connections == 4;
    if (both) s.stop_accepting();
    return both;
  };
  bool stopped = false;
  for (int i = 0; i < 1000 && !stopped; ++i, std::this_thread::sleep_for(1ms)) stopped = server.call(stop);
  REQUIRE(stopped);
  CHECK(idle.ended());
  for (auto* wire : {&busy, &busier}) {
    const auto answer = wire->answer();
    REQUIRE(answer);
    CHECK(answer->body == "slow");
    CHECK_FALSE(answer->keep_alive);
    CHECK(wire->ended());
  }
  const auto last = reading.ask("Host: a\r\n\r\n");
  REQUIRE(last);
  CHECK(last->status == 200);
  CHECK_FALSE(last->keep_alive);
  for (auto* wire : {&idle, &busy, &busier, &reading}) wire->shut();
  CHECK(server.wait_for([](const auto& stats) { return stats.connections == 0; }));
  CHECK_THROWS(server.wire());
}

TEST_CASE("drain: connections and requests that have arrived are not lost") {
  TestServer server;
  std::vector<Wire> kept, waiting;
  for (int i = 0; i < 10; ++i) {
    kept.push_back(server.wire());
    CHECK(kept.back().ask(get("/echo?x"))->status == 200);
  }
  server.call([&](http::Server& s) {  // the loop is busy: the kernel takes them for us
    for (auto& wire : kept) wire.send(get("/echo?kept"));
    for (int i = 0; i < 10; ++i) {
      waiting.push_back(server.wire());
      waiting.back().send(get("/echo?waited"));
    }
    std::this_thread::sleep_for(50ms);
    s.stop_accepting();
  });
  for (auto& wire : kept) {
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->body == "kept");
  }
  for (auto& wire : waiting) {
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->body == "waited");
    CHECK_FALSE(answer->keep_alive);
  }
}

TEST_CASE("drain: under load no request fails") {
  TestServer server;
  std::atomic<bool> leave = false;
  std::atomic<int> answered = 0, failed = 0, closed = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      auto wire = std::make_unique<Wire>(server.port());
      while (!leave) {
        const auto answer = wire->ask(answered % 2 == 0 ? post("/echo", "x") : get("/slow?2"));
        ++(answer && answer->status == 200 ? answered : failed);
        if (answer && answer->keep_alive) continue;
        ++closed;
        wire.reset();
        try {
          wire = std::make_unique<Wire>(server.port());
        } catch (const std::exception&) {
          if (!leave) ++failed;
          return;  // nobody there any more
        }
      }
    });
  const auto wait_for = [](const std::atomic<int>& count, int value) {
    for (int i = 0; i < 3000 && count < value; ++i) std::this_thread::sleep_for(10ms);
    CHECK(count >= value);
  };
  wait_for(answered, 200);
  CHECK(closed == 0);
  server.call([](http::Server& s) { s.start_draining(); });
  wait_for(closed, 100);  // by now all have learnt that we leave
  leave = true;
  server.call([](http::Server& s) { s.stop_accepting(); });
  for (auto& client : clients) client.join();
  CHECK(failed == 0);
  CHECK(server.wait_for([](const auto& stats) { return stats.connections == 0; }));
}

TEST_CASE("deadlines: never early, though the loop stood still") {
  http::Loop loop;
  http::DeadlineWheel wheel(loop);
  int expired = 0;
  http::Deadline deadline(wheel, [&] { ++expired; });
  const auto turn = [&](std::chrono::milliseconds time) {
    const auto end = http::Clock::now() + time;
    while (http::Clock::now() < end) loop.run_one_for(10ms);
  };
  turn(150ms);
  std::this_thread::sleep_for(1s);  // the wheel's clock is late now
  const auto set = http::Clock::now();
  deadline.set(400ms);
  while (expired == 0) loop.run_one_for(10ms);
  CHECK(http::Clock::now() - set >= 400ms);
  CHECK_FALSE(deadline.is_set());
  turn(300ms);
  CHECK(expired == 1);
  deadline.set(100ms);
  deadline.clear();
  turn(400ms);
  CHECK(expired == 1);
}

TEST_CASE("deadlines: one that expires may end others") {
  http::Loop loop;
  http::DeadlineWheel wheel(loop);
  std::vector<std::unique_ptr<http::Deadline>> all;
  int expired = 0;
  for (int i = 0; i < 50; ++i) {
    all.push_back(std::make_unique<http::Deadline>(wheel, [&] {
      ++expired;
      all.resize(all.size() / 2);
    }));
    all.back()->set(0ms);
  }
  // The newest comes first: each that expires takes the newer half of what is left with it, itself included.
  while (!all.empty()) loop.run_one_for(10ms);
  CHECK(expired > 1);
  CHECK(expired < 50);
}
