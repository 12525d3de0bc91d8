// http::Client's answers under way, and an http::Upstream behind an http::Server.
#include "tests/integration/http_upstream_bed.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::http_tests;

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
  ClientBed nobody(settings("http://127.0.0.1:" + std::to_string(support::free_port())));
  auto failing = nobody.client->start(get_request());
  CHECK_THROWS_AS(nobody.run(failing.get()), http::Unreachable);
}

TEST_CASE("client: a body that is late is not the service's fault") {
  struct Late final : http::BodySource {
    awaitable<std::string_view> next() override {
      if (++calls > 2) co_return std::string_view{};
      co_await pause_for(700ms);
      co_return "late";
    }
    int calls = 0;
  };
  TestServer server;
  auto quick = settings(server.url());
  quick.answer_time = 100ms;
  ClientBed bed(quick);
  CHECK(bed.get("/echo?kept").body == "kept");
  for (int i = 0; i < 2; ++i) {
    Late late;
    http::ClientRequest request{.method = http::Method::post, .target = "/echo"};
    request.source = &late;
    request.source_size = 8;
    CHECK(bed.send(std::move(request)).body == "latelate");
  }
  CHECK(server.stats().accepted == 1);
  CHECK(bed.stats().idle == 1);
}

TEST_CASE("client: what changes something is not sent again, unless that is said") {
  ScriptedServer server([](ScriptedServer::Peer& peer, int) { peer.head(); });
  ClientBed bed(settings(server.url()));
  const auto sent = [&](http::ClientRequest request) {
    const int before = server.connections();
    CHECK(bed.fails(std::move(request)));
    return server.connections() - before;
  };
  CHECK(sent({.method = http::Method::get, .target = "/"}) == 2);
  CHECK(sent({.method = http::Method::head, .target = "/"}) == 2);
  CHECK(sent({.method = http::Method::post, .target = "/"}) == 1);
  CHECK(sent({.method = http::Method::del, .target = "/"}) == 1);
  CHECK(sent({.method = http::Method::post, .target = "/", .replayable = true}) == 2);
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
  http::DeadlineSweeper wheel(loop);
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
