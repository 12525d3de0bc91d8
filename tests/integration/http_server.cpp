// http::Server over real sockets: what is asked gets its answer, in order, whatever came before it.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "common/async/event.hpp"
#include "tests/integration/http_bed.hpp"

using namespace parley;
using namespace parley::http_tests;

TEST_CASE("server: one connection serves many requests") {
  TestServer server;
  auto wire = server.wire();
  for (int i = 0; i < 20; ++i) {
    const auto answer = wire.ask(get("/echo?" + std::to_string(i)));
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(answer->body == std::to_string(i));
    CHECK(answer->keep_alive);
    CHECK(answer->field("Connection") == "");
  }
  for (const std::size_t size : {1u, 100u, 5'000u, 100'000u, 1'048'576u}) {
    const std::string body(size, 'b');
    const auto answer = wire.ask(post("/echo", body));
    REQUIRE(answer);
    CHECK(answer->body == body);
    CHECK(answer->field("Target") == "/echo");
  }
  CHECK(server.stats().accepted == 1);
  CHECK(server.stats().serving == 0);
}

TEST_CASE("server: a body that comes bit by bit") {
  TestServer server;
  auto wire = server.wire();
  const std::string body(3000, 'b');
  const auto octets = post("/echo?x=y", body);
  for (const char octet : octets) REQUIRE(wire.send({&octet, 1}));
  const auto answer = wire.answer();
  REQUIRE(answer);
  CHECK(answer->body == body);
  CHECK(answer->field("Target") == "/echo?x=y");
  const auto chunked = wire.ask(
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: "
      "x\r\n\r\n");
  REQUIRE(chunked);
  CHECK(chunked->body == "abcde");
}

TEST_CASE("server: a body tells how long it was waited for") {
  std::atomic<std::int64_t> waited = -1;
  std::atomic<int> begun = 0;
  TestServer server({}, [&](http::Request& request) -> http::awaitable<http::Response> {
    ++begun;
    co_await request.body();
    waited = request.body_source->waited().count();
    co_return http::Response{};
  });
  auto wire = server.wire();
  REQUIRE(wire.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"));
  while (begun == 0) std::this_thread::yield();
  REQUIRE(wire.ask("hello"));
  CHECK(waited > 0);
  REQUIRE(wire.ask(post("/", "all of it at once")));
  CHECK(waited == 0);
}

TEST_CASE("server: pipelined requests are answered in order") {
  TestServer server;
  auto wire = server.wire();
  std::string all;
  for (int i = 0; i < 50; ++i) {
    if (i % 3 == 0)
      all += post("/echo", "body " + std::to_string(i));
    else if (i % 3 == 1)
      all += get("/slow?1");
    else
      all += get("/echo?" + std::to_string(i));
  }
  REQUIRE(wire.send(all));
  for (int i = 0; i < 50; ++i) {
    INFO(i);
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->body == (i % 3 == 0 ? "body " + std::to_string(i) : i % 3 == 1 ? "slow" : std::to_string(i)));
  }
  CHECK(server.stats().accepted == 1);
}

TEST_CASE("server: HEAD") {
  TestServer server;
  auto wire = server.wire();
  for (const std::string target : {"/echo?hello", "/chunks", "/stream?6", "/large?100000"}) {
    INFO(target);
    REQUIRE(wire.send("HEAD " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"));
    const auto answer = wire.answer(true);
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(answer->body == "");
  }
  const auto next = wire.ask(get("/echo?next"));
  REQUIRE(next);
  CHECK(next->body == "next");
}

TEST_CASE("server: answers without a body") {
  TestServer server;
  auto wire = server.wire();
  for (const std::string status : {"204", "304"}) {
    const auto answer = wire.ask(get("/empty?" + status));
    REQUIRE(answer);
    CHECK(std::to_string(answer->status) == status);
    CHECK(answer->field("Content-Length") == "");
  }
  CHECK(wire.ask(get("/echo?next"))->body == "next");
}

TEST_CASE("server: 100-continue") {
  TestServer server;
  auto wire = server.wire();
  const std::string head = "Host: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";
  SUBCASE("is told before the body is read") {
    REQUIRE(wire.send("POST /echo HTTP/1.1\r\n" + head));
    CHECK(wire.answer()->status == 100);
    const auto answer = wire.ask("hello");
    REQUIRE(answer);
    CHECK(answer->body == "hello");
    CHECK(answer->keep_alive);
  }
  SUBCASE("is not told if the body is not wanted") {
    REQUIRE(wire.send("POST /ignore HTTP/1.1\r\n" + head));
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK_FALSE(answer->keep_alive);
    CHECK(wire.ended());
  }
  SUBCASE("other expectations cannot be met") {
    REQUIRE(wire.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: miracles\r\n\r\n"));
    const auto answer = wire.answer();  // without waiting for the body
    REQUIRE(answer);
    CHECK(answer->status == 417);
    CHECK(wire.ended());
  }
  SUBCASE("without a body there is nothing to go on with") {
    const auto answer = wire.ask(get("/echo?x", "Expect: 100-continue\r\n"));
    REQUIRE(answer);
    CHECK(answer->body == "x");
  }
}

TEST_CASE("server: a message that cannot be read is answered and ends the connection") {
  TestServer server;
  const std::pair<std::string, unsigned> cases[] = {
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET /" + std::string(9000, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(17'000, 'x') + "\r\n\r\n", 431},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400},
      {"\x16\x03\x01\x02\r\n\r\n", 400},
  };
  for (const auto& [octets, status] : cases) {
    auto wire = server.wire();
    REQUIRE(wire.send(octets + get("/echo?smuggled")));
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->status == status);
    CHECK_FALSE(answer->keep_alive);
    CHECK(wire.rest() == "");
  }
  CHECK(server.stats().faults.at("bad_framing") == 2);
  CHECK(server.wait_for([](const auto& stats) { return stats.connections == 0; }));
}

TEST_CASE("server: a broken body") {
  TestServer server;
  auto wire = server.wire();
  const auto answer = wire.ask(
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n" + get("/echo?y"));
  REQUIRE(answer);
  CHECK(answer->status == 400);
  CHECK(wire.rest() == "");

  auto early = server.wire();
  REQUIRE(early.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello"));
  early.shut();
  const auto ended = early.answer();
  REQUIRE(ended);
  CHECK(ended->status == 400);
}

TEST_CASE("server: what is too large is refused, and the refusal arrives") {
  TestServer server;
  SUBCASE("announced, though megabytes are on their way") {
    auto wire = server.wire();
    const std::string body(3 << 20, 'x');
    wire.send(post("/echo", body));
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->status == 413);
    CHECK(wire.ended());
  }
  SUBCASE("not announced") {
    auto wire = server.wire();
    wire.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
    for (int i = 0; i < 40; ++i) wire.send(chunk);
    const auto answer = wire.answer();
    REQUIRE(answer);
    CHECK(answer->status == 413);
    CHECK(wire.ended());
  }
  CHECK(server.stats().faults.at("body_too_large") == 1);
}

TEST_CASE("server: a handler that does not read the body") {
  TestServer server;
  auto wire = server.wire();
  for (const std::size_t size : {5u, 5'000u, 200'000u}) {  // read over
    INFO(size);
    const auto answer = wire.ask(post("/ignore", std::string(size, 'G')));
    REQUIRE(answer);
    CHECK(answer->body == "ignored");
    CHECK(answer->keep_alive);
  }
  CHECK(wire.ask(post("/half", std::string(200'000, 'x')))->status == 200);
  CHECK(wire.ask(get("/echo?next"))->body == "next");
  wire.send(post("/ignore", std::string(900'000, 'G')));  // not worth it
  const auto last = wire.answer();
  REQUIRE(last);
  CHECK(last->body == "ignored");
  CHECK_FALSE(last->keep_alive);
}

TEST_CASE("server: a handler that throws") {
  TestServer server;
  auto wire = server.wire();
  auto answer = wire.ask(get("/problem"));
  REQUIRE(answer);
  CHECK(answer->status == 418);
  CHECK(answer->keep_alive);
  answer = wire.ask(get("/throw"));
  REQUIRE(answer);
  CHECK(answer->status == 500);
  answer = wire.ask(get("/echo?next"));
  REQUIRE(answer);
  CHECK(answer->body == "next");
  CHECK(server.stats().serving == 0);
}

TEST_CASE("server: streamed answers") {
  TestServer server;
  auto wire = server.wire();
  auto answer = wire.ask(get("/chunks"));
  REQUIRE(answer);
  CHECK(answer->field("Transfer-Encoding") == "chunked");
  CHECK(answer->body == "onetwo" + std::string(100'000, '3'));
  answer = wire.ask(get("/stream?6"));
  REQUIRE(answer);
  CHECK(answer->field("Content-Length") == "6");
  CHECK(answer->body == "onetwo");
  CHECK(wire.ask(get("/echo?next"))->body == "next");
  SUBCASE("to HTTP/1.0: until the connection's end") {
    REQUIRE(wire.send("GET /chunks HTTP/1.0\r\n\r\n"));
    const auto octets = wire.rest();
    CHECK(octets.find("chunked") == std::string::npos);
    CHECK(octets.substr(octets.find("\r\n\r\n") + 4) == "onetwo" + std::string(100'000, '3'));
  }
  SUBCASE("that break: never taken for whole") {
    for (const auto* target : {"/broken-chunks", "/broken-stream", "/stream?5", "/stream?7"}) {
      INFO(target);
      auto other = server.wire();
      REQUIRE(other.send(get(target) + get("/echo?next")));
      CHECK_FALSE(other.answer());
      CHECK(other.rest().find("next") == std::string::npos);
    }
  }
}

namespace {

// One piece, and then none until it ends, or its reader has left.
class Quiet final : public http::BodySource {
 public:
  awaitable<std::string_view> next() override {
    if (std::exchange(waits, true)) co_await over.wait();
    co_return over.is_set() ? "" : "one";
  }
  void reader_left() override {
    ++left;
    over.set();
  }

  async::Event over;
  int left = 0;
  bool waits = false;
};

}  // namespace

TEST_CASE("server: a stream that waits hears that its client has gone") {
  std::shared_ptr<Quiet> quiet;
  TestServer server({}, [&](http::Request& request) -> awaitable<http::Response> {
    http::Response response;
    if (request.path == "/quiet") response.stream = quiet = std::make_shared<Quiet>();
    co_return response;
  });
  const auto see = [&](auto what) { return server.call([&](http::Server&) { return quiet && what(*quiet); }); };
  const auto begin = [&](Wire& wire) {
    see([](auto& stream) { return stream.waits = false; });
    wire.send(get("/quiet"));
    REQUIRE(server.wait_for([&](const auto&) { return see([](auto& stream) { return stream.waits; }); }));
  };
  const auto end = [&] {
    see([](auto& stream) {
      stream.over.set();
      return true;
    });
  };
  const auto has_left = [](auto& stream) { return stream.left == 1; };
  const auto is_gone = [](const auto& stats) { return stats.connections == 0; };
  auto wire = server.wire();
  begin(wire);
  SUBCASE("closed") {
    Wire{std::move(wire)};
    CHECK(server.wait_for(is_gone));
    CHECK(see(has_left));
  }
  SUBCASE("reset") {
    wire.reset();
    CHECK(server.wait_for(is_gone));
    CHECK(see(has_left));
  }
  SUBCASE("sends no more: its stream ends in order") {
    wire.shut();
    CHECK(wire.answer()->body == "one");
    CHECK(wire.ended());
    CHECK(see(has_left));
  }
  SUBCASE("it has not, though it asks for the next") {
    wire.send(get("/"));
    end();
    CHECK(wire.answer()->body == "one");
    CHECK(wire.answer()->status == 200);
    CHECK_FALSE(see(has_left));
  }
  SUBCASE("it goes during the third") {
    for (int i = 0; i < 2; ++i) {
      end();
      CHECK(wire.answer()->body == "one");
      CHECK_FALSE(see(has_left));
      begin(wire);
    }
    wire.reset();
    CHECK(server.wait_for(is_gone));
    CHECK(see(has_left));
  }
}

TEST_CASE("server: HTTP/1.0 and Connection: close end the connection") {
  TestServer server;
  for (const auto& octets : {get("/echo?x", "Connection: close\r\n"), std::string("GET /echo?x HTTP/1.0\r\n\r\n"),
                             std::string("GET /echo?x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")}) {
    auto wire = server.wire();
    const auto answer = wire.ask(octets);
    REQUIRE(answer);
    CHECK(answer->body == "x");
    CHECK_FALSE(answer->keep_alive);
    CHECK(wire.ended());
  }
}

TEST_CASE("server: clients that go at the worst moment") {
  TestServer server;
  for (const auto& octets :
       {get("/slow?20"), get("/large?5000000"), get("/chunks"), post("/echo", "x").substr(0, 60), std::string("GET /"),
        std::string(), post("/dawdle?10", std::string(100'000, 'x')).substr(0, 50'000)}) {
    for (int i = 0; i < 5; ++i) {
      auto wire = server.wire();
      wire.send(octets);
      if (i % 2 == 0) std::this_thread::sleep_for(5ms);
      if (i < 3) wire.reset();
    }
  }
  CHECK(server.wait_for([](const auto& stats) { return stats.connections == 0 && stats.serving == 0; }));
  CHECK(server.wire().ask(get("/echo?alive"))->body == "alive");
}

TEST_CASE("server: ends with connections in every state") {
  TestServer server;
  std::vector<Wire> wires;
  for (const auto& octets :
       {std::string(), get("/slow?60000"), get("/large?50000000"), std::string("GET /"), get("/echo?x"),
        post("/echo", "hello").substr(0, 56), get("/throw"), std::string("bad\r\n\r\n")}) {
    wires.push_back(server.wire());
    wires.back().send(octets);
  }
  CHECK(server.wait_for([](const auto& stats) { return stats.accepted == 8 && stats.serving >= 2; }));
  server.stop();
}
