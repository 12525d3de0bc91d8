// Draining, and the deadlines of it all. Only outcomes are looked at: never a time.
#include <atomic>
#include <thread>

#include "tests/integration/http_bed.hpp"

using namespace parley;
using namespace parley::http_tests;

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
  http::DeadlineSweeper wheel(loop);
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
  http::DeadlineSweeper wheel(loop);
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
