// http::Upstream and http::Client over real sockets, against servers of ours and against strange ones.
#include <string>

#include "tests/integration/http_bed.hpp"

using namespace parley;
using namespace parley::http_tests;
using Why = http::Unreachable::Why;

namespace {

constexpr const char* kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

http::UpstreamSettings settings(std::string url) {
  http::UpstreamSettings out;
  out.url = std::move(url);
  return out;
}

http::ClientRequest get_request(std::string target = "/", bool replayable = true) {
  return {.target = std::move(target), .replayable = replayable};
}

http::ClientRequest post_request(std::string body) {
  return {.method = http::Method::post, .target = "/echo", .body = std::move(body), .replayable = false};
}

// One connection after the other gets the same octets for whatever it asks, then ends.
ScriptedServer answering(std::string octets) {
  return ScriptedServer([octets](ScriptedServer::Peer& peer, int) {
    peer.head();
    peer.send(octets);
  });
}

}  // namespace

TEST_CASE("upstream: connections are kept and used again") {
  TestServer server;
  ClientBed bed(settings(server.url()));
  for (int i = 0; i < 10; ++i) {
    const auto answer = bed.get("/echo?" + std::to_string(i));
    CHECK(answer.status == 200);
    CHECK(answer.body == std::to_string(i));
  }
  CHECK(bed.send(post_request(std::string(300'000, 'x'))).body.size() == 300'000);
  CHECK(bed.send({.method = http::Method::post, .target = "/echo"}).status == 200);
  CHECK(bed.get("/chunks").body.size() == 100'006);
  CHECK(bed.get("/empty?204").status == 204);
  CHECK(bed.send({.method = http::Method::head, .target = "/large?100000"}).body == "");
  CHECK(bed.get("/echo?last").body == "last");
  CHECK(server.stats().accepted == 1);
  CHECK(bed.stats().idle == 1);
  CHECK(bed.stats().in_flight == 0);
  CHECK(bed.stats().retries == 0);
}

TEST_CASE("upstream: the URL's path stands before each target") {
  TestServer server;
  ClientBed bed(settings(server.url() + "/v20.0/"));
  CHECK(bed.client->upstream().base_path() == "/v20.0");
  CHECK(bed.get("/echo").status == 404);
}

TEST_CASE("upstream: URLs") {
  for (const std::string good :
       {"http://a", "https://a:8443/v1", "http://[::1]:80", "http://a:1,http://b:2", "http://a:"})
    CHECK(http::is_upstream_url(good));
  for (const std::string bad : {"", "a", "http://", "ftp://a", "http://a:0", "http://a:65536", "http://u@a",
                                "http://a?x", "http://a#x", "http://a,", "http://a,https://b", "http://a b"}) {
    INFO(bad);
    CHECK_FALSE(http::is_upstream_url(bad));
    if (!bad.empty()) CHECK_THROWS_AS(ClientBed{settings(bad)}, std::invalid_argument);
  }
}

TEST_CASE("upstream: a connection that the server closed while idle is not used") {
  ScriptedServer server([](ScriptedServer::Peer& peer, int) {
    peer.head();
    peer.send(kOk);
  });
  ClientBed bed(settings(server.url()));
  for (int i = 0; i < 5; ++i) {
    CHECK(bed.send(get_request("/", false)).body == "ok");
    std::this_thread::sleep_for(30ms);
  }
  CHECK(server.connections() == 5);
  CHECK(bed.stats().retries == 0);
  CHECK(bed.stats().resets == 0);
}

TEST_CASE("upstream: a kept connection that dies under a request") {
  // Each connection answers once and takes a second request to its grave.
  std::atomic<int> buried = 0;
  ScriptedServer server([&](ScriptedServer::Peer& peer, int number) {
    peer.head();
    peer.send(kOk);
    if (peer.head().empty()) return;
    ++buried;
    if (number % 2 == 1) peer.reset();
  });
  ClientBed bed(settings(server.url()));
  SUBCASE("is replaced once for what may be sent again") {
    CHECK(bed.send(get_request()).body == "ok");
    for (int i = 0; i < 4; ++i) CHECK(bed.send(get_request()).body == "ok");
    CHECK(bed.stats().retries == 4);
    CHECK(buried == 4);
  }
  SUBCASE("is the end of anything else") {
    CHECK(bed.send(get_request()).body == "ok");
    const auto error = bed.fails(post_request("x"));
    REQUIRE(error);
    CHECK(error->why == Why::reset);
    CHECK_FALSE(error->sent_nothing);
    CHECK(buried == 1);
    CHECK(bed.stats().retries == 0);
    CHECK(bed.stats().in_flight == 0);
    CHECK(bed.send(post_request("x")).body == "ok");  // the next is sent anew
  }
}

TEST_CASE("upstream: a request is sent twice at most") {
  std::atomic<int> seen = 0;
  ScriptedServer server([&](ScriptedServer::Peer& peer, int) { seen += !peer.head().empty(); });
  ClientBed bed(settings(server.url()));
  CHECK(bed.fails(get_request())->why == Why::reset);
  CHECK(seen == 2);
  CHECK(bed.fails(post_request("x"))->why == Why::reset);
  CHECK(seen == 3);
}

TEST_CASE("upstream: nobody there") {
  ClientBed bed(settings("http://127.0.0.1:" + std::to_string(free_port())));
  const auto error = bed.fails(post_request("x"));
  REQUIRE(error);
  CHECK(error->why == Why::refused);
  CHECK(error->sent_nothing);
  CHECK(bed.stats().refused == 2);  // nothing was sent: the other endpoint, had there been one
  CHECK(bed.stats().in_flight == 0);
}

TEST_CASE("upstream: the other endpoint takes over, and the broken one is left alone") {
  TestServer server;
  const auto dead = "http://127.0.0.1:" + std::to_string(free_port());
  ClientBed bed(settings(dead + "," + server.url()));
  for (int i = 0; i < 60; ++i) {
    CHECK(bed.send(post_request("x")).status == 200);
    bed.client->upstream().close();
  }
  CHECK(bed.stats().endpoints == 2);
  CHECK(bed.stats().ejected == 1);
  CHECK(bed.stats().refused == 5);
  CHECK(bed.stats().retries == 5);
}

TEST_CASE("upstream: all endpoints ejected is no reason to give up") {
  const auto port = free_port();
  ClientBed bed(settings("http://127.0.0.1:" + std::to_string(port)));
  for (int i = 0; i < 5; ++i) CHECK(bed.fails(get_request()));
  CHECK(bed.stats().ejected == 1);
  CHECK(bed.fails(get_request())->why == Why::refused);
}

TEST_CASE("upstream: names") {
  TestServer server;
  SUBCASE("the first requests wait for them together") {
    ClientBed bed(settings("http://localhost:" + std::to_string(server.port())));
    int done = 0, good = 0;
    for (int i = 0; i < 10; ++i)
      boost::asio::co_spawn(bed.loop, bed.client->send(get_request("/echo?x")),
                            [&](std::exception_ptr error, http::ClientResponse response) {
                              ++done;
                              good += !error && response.status == 200;
                            });
    bed.turn_until([&] { return done == 10; });
    CHECK(good == 10);
  }
  SUBCASE("that nobody knows") {
    ClientBed bed(settings("http://nobody.invalid:80"));
    CHECK(bed.fails(get_request())->why == Why::refused);
    CHECK(bed.fails(get_request())->why == Why::refused);
    CHECK(bed.stats().endpoints == 0);
  }
  SUBCASE("one of two that nobody knows") {
    ClientBed bed(settings("http://nobody.invalid:80,http://127.0.0.1:" + std::to_string(server.port())));
    CHECK(bed.get("/echo?x").body == "x");
  }
  SUBCASE("gone before they were found") {
    for (int i = 0; i < 5; ++i) {
      ClientBed bed(settings("http://nobody" + std::to_string(i) + ".invalid:80"));
      auto pending = bed.client->start(get_request());
      for (int turns = 0; turns < i; ++turns) bed.loop.poll_one();
    }
  }
}

TEST_CASE("upstream: no more at once than the bound, no more waiting than the queue") {
  TestServer server;
  auto bounded = settings(server.url());
  bounded.in_flight = 2;
  bounded.queue = 3;
  bounded.queue_time = 10s;
  ClientBed bed(bounded);
  int good = 0, overloaded = 0, most = 0;
  const auto start = [&](int count, const std::string& target) {
    for (int i = 0; i < count; ++i)
      boost::asio::co_spawn(bed.loop, bed.client->send(get_request(target)),
                            [&](std::exception_ptr error, const http::ClientResponse&) {
                              if (!error) ++good;
                              try {
                                if (error) std::rethrow_exception(error);
                              } catch (const http::Unreachable& why) {
                                overloaded += why.why == Why::overloaded && why.sent_nothing;
                              }
                            });
  };
  start(10, "/slow?50");
  bed.turn_until([&] {
    most = std::max(most, static_cast<int>(bed.stats().in_flight));
    return good + overloaded == 10;
  });
  CHECK(good == 5);
  CHECK(overloaded == 5);
  CHECK(most == 2);
  CHECK(bed.stats().overloads == 5);
  CHECK(bed.stats().queued == 0);
  CHECK(bed.stats().in_flight == 0);
  CHECK(bed.get("/echo?x").body == "x");
}

TEST_CASE("upstream: who waits too long in the queue is refused") {
  TestServer server;
  auto bounded = settings(server.url());
  bounded.in_flight = 1;
  bounded.queue_time = 50ms;
  ClientBed bed(bounded);
  auto first = bed.client->start(get_request("/slow?1000"));
  bed.turn_until([&] { return bed.stats().in_flight == 1; });
  CHECK(bed.fails(get_request())->why == Why::overloaded);
  CHECK(bed.run(first.get()).body == "slow");
  CHECK(bed.get("/echo?x").body == "x");
}

TEST_CASE("upstream: silence ends with a time-out, and is not asked again") {
  ScriptedServer server([](ScriptedServer::Peer& peer, int number) {
    peer.head();
    if (number == 1) peer.send("HTTP/1.1 200 OK\r\nContent-Le");
    if (number == 2) peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe");
    peer.wait_for_end();
  });
  auto impatient = settings(server.url());
  impatient.answer_time = 100ms;
  ClientBed bed(impatient);
  for (int i = 0; i < 3; ++i) {
    const auto error = bed.fails(get_request());
    REQUIRE(error);
    CHECK(error->why == Why::timeout);
  }
  CHECK(server.connections() == 3);
  CHECK(bed.stats().retries == 0);
  CHECK(bed.stats().in_flight == 0);
  SUBCASE("a request may have a time of its own") {
    TestServer slow;
    ClientBed patient(settings(slow.url()));
    auto request = get_request("/slow?3000");
    request.answer_time = 100ms;
    CHECK(patient.fails(request)->why == Why::timeout);
  }
}

TEST_CASE("upstream: how long its reader takes is not the server's silence") {
  TestServer server;
  auto impatient = settings(server.url());
  impatient.answer_time = 200ms;
  ClientBed bed(impatient);
  const auto reading = [&]() -> awaitable<std::string> {
    const std::string head = "GET /chunks HTTP/1.1\r\nHost: a\r\n\r\n";
    http::Outgoing outgoing;
    outgoing.head = head;
    const auto exchange = co_await bed.client->upstream().exchange(outgoing);
    std::string out;
    for (;;) {
      co_await pause_for(600ms);
      const auto piece = co_await exchange->next();
      if (piece.empty()) co_return out;
      out += piece;
    }
  };
  CHECK(bed.run(reading()).size() == 100'006);
}

TEST_CASE("upstream: answers that are none") {
  for (const std::string octets :
       {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/2 200\r\n\r\n", "<html>\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok",
        "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok"}) {
    INFO(octets);
    auto server = answering(octets);
    ClientBed bed(settings(server.url()));
    const auto error = bed.fails(get_request("/", false));
    REQUIRE(error);
    CHECK(error->why == Why::bad_answer);
    CHECK_FALSE(error->sent_nothing);
    CHECK(bed.stats().in_flight == 0);
    CHECK(bed.stats().idle == 0);
  }
  const std::string too_long = "HTTP/1.1 200 OK\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n";
  auto server = answering(too_long);
  ClientBed bed(settings(server.url()));
  CHECK(bed.fails(get_request("/", false))->why == Why::bad_answer);
}

TEST_CASE("upstream: bodies that do not come to their end") {
  const std::pair<std::string, Why> cases[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", Why::reset},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", Why::reset},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n", Why::bad_answer},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", Why::bad_answer},
      {"HTTP/1.1 20", Why::reset},
  };
  for (const auto& [octets, why] : cases) {
    INFO(octets);
    auto server = answering(octets);
    ClientBed bed(settings(server.url()));
    const auto error = bed.fails(get_request("/", false));
    REQUIRE(error);
    CHECK(error->why == why);
    CHECK(bed.stats().in_flight == 0);
  }
  auto server = answering("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world");
  auto modest = settings(server.url());
  modest.answer_limit = 10;
  ClientBed bed(modest);
  CHECK(bed.fails(get_request("/", false))->why == Why::bad_answer);
}

TEST_CASE("upstream: an answer framed by the connection's end") {
  auto server = answering("HTTP/1.1 200 OK\r\n\r\nhello");
  ClientBed bed(settings(server.url()));
  for (int i = 0; i < 3; ++i) CHECK(bed.send(get_request()).body == "hello");
  CHECK(server.connections() == 3);
  CHECK(bed.stats().idle == 0);
  auto old = answering("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
  ClientBed other(settings(old.url()));
  CHECK(other.send(get_request()).body == "ok");
  CHECK(other.stats().idle == 0);
}

TEST_CASE("upstream: interim answers are passed over") {
  const std::string interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
  auto server = answering(interim + kOk);
  ClientBed bed(settings(server.url()));
  CHECK(bed.send(get_request()).body == "ok");
  auto head = answering(interim + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
  ClientBed other(settings(head.url()));
  const auto answer = other.send({.method = http::Method::head, .target = "/"});
  CHECK(answer.status == 200);
  CHECK(answer.body == "");
}

TEST_CASE("upstream: octets behind an answer are not taken for the next one") {
  ScriptedServer server([](ScriptedServer::Peer& peer, int) {
    peer.head();
    peer.send(std::string(kOk) + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
    if (!peer.head().empty()) peer.send(kOk);
  });
  ClientBed bed(settings(server.url()));
  for (int i = 0; i < 5; ++i) CHECK(bed.send(get_request()).body == "ok");

  std::atomic<int> poisoned = 0;
  ScriptedServer later([&](ScriptedServer::Peer& peer, int) {
    peer.head();
    peer.send(kOk);
    std::this_thread::sleep_for(20ms);
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
    ++poisoned;
    peer.wait_for_end();
  });
  ClientBed other(settings(later.url()));
  for (int i = 0; i < 3; ++i) {
    REQUIRE(other.send(get_request()).body == "ok");
    other.turn_until([&] { return poisoned > i; });
  }
}

TEST_CASE("upstream: a server that refuses a body is heard") {
  ScriptedServer server([](ScriptedServer::Peer& peer, int) {
    peer.head();
    peer.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nno!");
    peer.read(5'000'000);
  });
  ClientBed bed(settings(server.url()));
  auto answer = bed.send(post_request(std::string(20'000'000, 'x')));
  CHECK(answer.status == 413);
  CHECK(answer.body == "no!");
  TestServer ours;
  ClientBed other(settings(ours.url()));
  answer = other.send(post_request(std::string(2'000'000, 'x')));
  CHECK(answer.status == 413);
  CHECK(other.get("/echo?next").body == "next");
}

TEST_CASE("upstream: streamed requests") {
  TestServer server;
  ClientBed bed(settings(server.url()));
  const auto send = [&](Pieces& pieces, bool chunked) -> awaitable<std::string> {
    const std::string head = std::string("POST /echo HTTP/1.1\r\nHost: a\r\n") +
                             (chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: 100006\r\n\r\n");
    http::Outgoing outgoing;
    outgoing.head = head;
    outgoing.source = &pieces;
    outgoing.chunked = chunked;
    const auto exchange = co_await bed.client->upstream().exchange(outgoing);
    std::string out;
    for (;;) {
      const auto piece = co_await exchange->next();
      if (piece.empty()) co_return out;
      out += piece;
    }
  };
  for (const bool chunked : {true, false}) {
    Pieces pieces({"one", "two", std::string(100'000, '3')});
    CHECK(bed.run(send(pieces, chunked)) == "onetwo" + std::string(100'000, '3'));
  }
  Pieces breaking({"one"}, true);
  CHECK_THROWS_AS(bed.run(send(breaking, true)), std::runtime_error);
  CHECK(bed.stats().in_flight == 0);
  CHECK(bed.get("/echo?x").body == "x");
}

TEST_CASE("client: several answers under way") {
  TestServer server;
  ClientBed bed(settings(server.url()));
  auto slow = bed.client->start(get_request("/slow?100"));
  auto fast = bed.client->start(get_request("/echo?fast"));
  CHECK(bed.run(fast.get()).body == "fast");
  CHECK(bed.run(slow.get()).body == "slow");
  auto early = bed.client->start(get_request("/echo?early"));
  bed.turn_until([&] { return bed.stats().in_flight == 0 && bed.stats().idle == 2; });
  CHECK(bed.run(early.get()).body == "early");  // was there before it was asked for
  {
    auto dropped = bed.client->start(get_request("/slow?20"));
  }
  bed.turn_until([&] { return server.stats().serving == 0; });
  ClientBed nobody(settings("http://127.0.0.1:" + std::to_string(free_port())));
  auto failing = nobody.client->start(get_request());
  CHECK_THROWS_AS(nobody.run(failing.get()), http::Unreachable);
}

TEST_CASE("client: the loop's end takes all with it") {
  TestServer server;
  ScriptedServer silent([](ScriptedServer::Peer& peer, int) {
    peer.head();
    peer.wait_for_end();
  });
  auto bounded = settings(silent.url());
  bounded.in_flight = 3;
  bounded.queue_time = 60s;
  ClientBed bed(bounded);
  ClientBed other(settings(server.url()));
  int ended = 0;
  const auto waiting = [&](http::PendingResponse pending) -> awaitable<void> {
    co_await pending.get();
    ++ended;
  };
  for (int i = 0; i < 6; ++i) {
    boost::asio::co_spawn(bed.loop, waiting(bed.client->start(get_request())), [](std::exception_ptr) {});
    boost::asio::co_spawn(bed.loop, bed.client->send(get_request()),
                          [](std::exception_ptr, const http::ClientResponse&) {});
  }
  const auto half = [&]() -> awaitable<void> {  // an exchange whose answer is half read
    const std::string head = "GET /chunks HTTP/1.1\r\nHost: a\r\n\r\n";
    http::Outgoing outgoing;
    outgoing.head = head;
    const auto exchange = co_await other.client->upstream().exchange(outgoing);
    co_await exchange->next();
    ++ended;
    co_await pause_for(1h);
  };
  boost::asio::co_spawn(other.loop, half(), [](std::exception_ptr) {});
  other.turn_until([&] { return ended == 1; });
  bed.turn_until([&] { return bed.stats().in_flight == 3 && bed.stats().queued > 0 && silent.connections() == 3; });
  CHECK(ended == 1);
}

TEST_CASE("upstream: a server in front of a server") {
  TestServer back;
  http::Loop loop;
  http::DeadlineWheel wheel(loop);
  http::Upstream upstream(loop, wheel, settings(back.url()));
  // Holds an exchange for as long as its answer is streamed.
  const auto proxy = [&](http::Request& request) -> awaitable<http::Response> {
    std::string head(http::name_of(request.method));
    head.append(" ").append(request.target).append(" HTTP/1.1\r\nHost: back\r\n");
    if (request.has_body) head.append("Transfer-Encoding: chunked\r\n");
    head.append("\r\n");
    http::Outgoing outgoing;
    outgoing.head = head;
    outgoing.source = request.has_body ? request.body_source : nullptr;
    outgoing.chunked = request.has_body;
    outgoing.replayable = !request.has_body;
    auto exchange = co_await upstream.exchange(outgoing);
    http::Response response;
    response.status = exchange->status();
    response.stream_length = exchange->content_length();
    response.stream = std::move(exchange);
    co_return response;
  };
  http::ServerHandler handler{proxy, [](unsigned status, std::string_view, std::string_view) {
                                http::Response response;
                                response.status = status;
                                return response;
                              }};
  http::Server front(loop, wheel, {boost::asio::ip::address_v4::loopback(), 0}, {}, handler);
  front.start();
  std::thread thread([&] { loop.run(); });
  {
    Wire wire(front.endpoint().port());
    CHECK(wire.ask(get("/echo?x"))->body == "x");
    CHECK(wire.ask(get("/chunks"))->body.size() == 100'006);
    CHECK(wire.ask(post("/echo", std::string(500'000, 'b')))->body.size() == 500'000);
    CHECK(wire.ask(get("/large?3000000"))->body.size() == 3'000'000);
    CHECK(wire.ask(post("/echo", std::string(1'048'577, 'b')))->status == 413);
  }
  {
    Wire wire(front.endpoint().port());
    wire.send(get("/broken-chunks"));
    CHECK_FALSE(wire.answer());
  }
  std::vector<Wire> leaving;
  for (const std::string target : {"/slow?60000", "/large?50000000"}) {
    leaving.emplace_back(front.endpoint().port());
    leaving.back().send(get(target));
  }
  CHECK(back.wait_for([](const auto& stats) { return stats.serving >= 1; }));
  loop.stop();
  thread.join();
  loop.end();
}
