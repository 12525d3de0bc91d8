// What http::Upstream makes of answers: late ones, cut ones, strange ones, and how bodies go both ways.
#include "tests/integration/http_upstream_bed.hpp"

using namespace parley;
using namespace parley::http_tests;
using Why = http::Unreachable::Why;

namespace {

// One connection after the other gets the same octets for whatever it asks, then ends.
ScriptedServer answering(std::string octets) {
  return ScriptedServer([octets](ScriptedServer::Peer& peer, int) {
    peer.head();
    peer.send(octets);
  });
}

}  // namespace

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
