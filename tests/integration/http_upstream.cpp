// http::Upstream over real sockets, against servers of ours and strange ones: its connections, endpoints and queue.
#include <sys/socket.h>

#include "tests/integration/http_upstream_bed.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::http_tests;
using Why = http::Unreachable::Why;

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
  CHECK(ClientBed(settings(server.url() + "/v20.0//")).client->upstream().base_path() == "/v20.0");
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
  ClientBed bed(settings("http://127.0.0.1:" + std::to_string(support::free_port())));
  const auto error = bed.fails(post_request("x"));
  REQUIRE(error);
  CHECK(error->why == Why::refused);
  CHECK(error->sent_nothing);
  CHECK(bed.stats().retries == 1);  // nothing was sent: the other endpoint, had there been one
  CHECK(bed.stats().in_flight == 0);
}

TEST_CASE("upstream: the other endpoint takes over, and the broken one is left alone") {
  TestServer server;
  const auto dead = "http://127.0.0.1:" + std::to_string(support::free_port());
  ClientBed bed(settings(dead + "," + server.url()));
  for (int i = 0; i < 60; ++i) {
    CHECK(bed.send(post_request("x")).status == 200);
    bed.client->upstream().close();
  }
  CHECK(bed.stats().endpoints == 2);
  CHECK(bed.stats().ejected == 1);
  CHECK(bed.stats().retries == 5);
}

TEST_CASE("upstream: where no connection can be made in time, the other endpoint takes over") {
  // Nobody accepts, and the queue of those who ask is full: what is sent there gets no answer, as from a machine that
  // is gone.
  boost::asio::io_context context;
  const boost::asio::ip::tcp::endpoint any(boost::asio::ip::make_address("127.0.0.1"), 0);
  boost::asio::ip::tcp::acceptor full(context, any.protocol());
  full.bind(any);
  full.listen(0);
  std::vector<boost::asio::ip::tcp::socket> crowd;
  for (int i = 0; i < 4; ++i) {
    auto& socket = crowd.emplace_back(context, any.protocol());
    socket.native_non_blocking(true);
    const auto address = full.local_endpoint();
    ::connect(socket.native_handle(), address.data(), address.size());  // Asio's own would wait for the outcome
  }
  TestServer server;
  auto quick = settings("http://127.0.0.1:" + std::to_string(full.local_endpoint().port()) + "," + server.url());
  quick.connect_time = 100ms;
  ClientBed bed(quick);
  for (int i = 0; i < 40; ++i) {
    CHECK(bed.send(post_request("x")).status == 200);
    bed.client->upstream().close();
  }
  CHECK(bed.stats().retries > 0);
  CHECK(bed.stats().ejected == 1);
}

TEST_CASE("upstream: all endpoints ejected is no reason to give up") {
  const auto port = support::free_port();
  ClientBed bed(settings("http://127.0.0.1:" + std::to_string(port)));
  for (int i = 0; i < 5; ++i) CHECK(bed.fails(get_request()));
  CHECK(bed.stats().ejected == 1);
  CHECK(bed.fails(get_request())->why == Why::refused);
}

TEST_CASE("upstream: the circuit is open while none answers, and closes with the first answer") {
  const auto port = support::free_port();
  std::vector<std::optional<Why>> reported;
  ClientBed bed(settings("http://127.0.0.1:" + std::to_string(port)));
  bed.client->upstream().observe([&](const http::UpstreamReport& report) {
    CHECK(report.seconds >= 0);
    reported.push_back(report.failure);
  });
  CHECK(bed.stats().circuit == http::Circuit::closed);
  for (int i = 0; i < 3; ++i) CHECK(bed.fails(get_request()));
  CHECK(bed.stats().circuit == http::Circuit::open);
  TestServer server({}, TestServer::routes(), static_cast<unsigned short>(port));
  CHECK(bed.get("/echo?x").body == "x");
  CHECK(bed.stats().circuit == http::Circuit::closed);
  CHECK(bed.stats().ejected == 0);
  CHECK(reported == std::vector<std::optional<Why>>{Why::refused, Why::refused, Why::refused, std::nullopt});
}

TEST_CASE("upstream: no more second attempts than the budget") {
  auto small = settings("http://127.0.0.1:" + std::to_string(support::free_port()));
  small.in_flight = 2;  // as many second attempts at once
  ClientBed bed(small);
  for (int i = 0; i < 20; ++i) CHECK(bed.fails(get_request()));
  CHECK(bed.stats().retries >= 2);
  CHECK(bed.stats().retries_denied > 0);
  CHECK(bed.stats().retries + bed.stats().retries_denied == 20);
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
  CHECK(bed.stats().queue_full == 5);
  CHECK(bed.stats().late == 0);
  CHECK(bed.stats().queued == 0);
  CHECK(bed.stats().in_flight == 0);
  CHECK(bed.get("/echo?x").body == "x");
}

TEST_CASE("upstream: whoever has many requests under way leaves others a place, and those who wait take turns") {
  TestServer server;
  auto bounded = settings(server.url());
  bounded.in_flight = 8;
  bounded.queue = 16;
  bounded.queue_time = 10s;
  ClientBed bed(bounded);
  std::vector<http::PendingResponse> many;
  std::vector<std::string> answered;
  const auto start = [&](int count, const std::string& owner, const std::string& target) {
    for (int i = 0; i < count; ++i) {
      auto request = get_request(target);
      request.owner = owner;
      request.done = [&, owner](const http::ClientOutcome& outcome) {
        answered.push_back(outcome.status == 200 ? owner : owner + " refused");
      };
      many.push_back(bed.client->start(std::move(request)));
    }
  };
  start(20, "a", "/slow?300");
  bed.turn_until([&] { return bed.stats().queued == 16; });
  CHECK(bed.stats().in_flight == 4);  // half of them
  start(1, "b", "/echo?x");           // finds a place at once
  bed.turn_until([&] { return !answered.empty(); });
  CHECK(answered == std::vector<std::string>{"b"});
  for (const char* other : {"c", "d", "e", "f"}) start(1, other, "/slow?300");
  bed.turn_until([&] { return bed.stats().in_flight == 8; });
  answered.clear();
  start(2, "g", "/echo?x");  // no place is left, nor room to wait: two of those that wait for a have to go
  bed.turn_until([&] { return answered.size() >= 12; });
  // Only the two that are refused and the eight that have places already may be answered before: none of a's that wait.
  CHECK(std::count(answered.begin(), answered.end(), "a refused") == 2);
  CHECK(std::count(answered.begin(), answered.end(), "g") == 2);
  CHECK(std::find(answered.begin(), answered.end(), "g") - answered.begin() <= 10);
  bed.turn_until([&] { return answered.size() == 26; });
  CHECK(std::count(answered.begin(), answered.end(), "a") == 18);
  CHECK(bed.stats().queue_full == 2);
  CHECK(bed.stats().in_flight == 0);
  CHECK(bed.stats().queued == 0);
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
  CHECK(bed.stats().late == 1);
  CHECK(bed.run(first.get()).body == "slow");
  CHECK(bed.get("/echo?x").body == "x");
}
