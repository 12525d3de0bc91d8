// Which of an http::Upstream's endpoints are asked, which are left alone, and what is known of their names.
#include <boost/asio/thread_pool.hpp>

#include "tests/integration/http_upstream_bed.hpp"

using namespace parley;
using namespace parley::http_tests;
using Why = http::Unreachable::Why;

namespace {

// A server whose every answer has this status, and says who gave it.
TestServer::Serve always(unsigned status, std::string name) {
  return [status, name = std::move(name)](http::Request&) -> awaitable<http::Response> {
    http::Response response;
    response.status = status;
    response.body = name;
    co_return response;
  };
}

// The answers of so many requests, by status.
std::map<unsigned, int> ask(ClientBed& bed, int times) {
  std::map<unsigned, int> out;
  for (int i = 0; i < times; ++i) ++out[bed.send(get_request()).status];
  return out;
}

void turn_for(ClientBed& bed, std::chrono::milliseconds time) {
  const auto end = http::Clock::now() + time;
  bed.turn_until([&] { return http::Clock::now() > end; });
}

}  // namespace

TEST_CASE("endpoints: one that refuses everything is left alone, as the other does not") {
  TestServer bad({}, always(503, "bad")), good({}, always(200, "good"));
  ClientBed bed(settings(bad.url() + "," + good.url()));
  const auto first = ask(bed, 100);
  CHECK(first.at(503) >= 10);
  CHECK(first.at(503) < 40);
  CHECK(bed.stats().ejected == 1);
  CHECK(bed.stats().circuit == http::Circuit::partly);
  CHECK(bed.stats().idle == 2);  // its connections are as good as ever
  CHECK(ask(bed, 50) == std::map<unsigned, int>{{200, 50}});
  turn_for(bed, 5200ms);  // tried again, it is no better
  CHECK(ask(bed, 50)[503] <= 1);
}

TEST_CASE("endpoints: a second attempt goes to one that has answered, not to one that may still be starting") {
  TestServer good({}, always(200, "good"));
  const auto nobody = [] { return "http://127.0.0.1:" + std::to_string(support::free_port()); };
  ClientBed bed(settings(nobody() + "," + nobody() + "," + nobody() + "," + good.url()));
  for (int i = 0; bed.fails(get_request()); ++i) REQUIRE(i < 100);  // until it has answered once
  for (int i = 0; i < 100; ++i) CHECK_FALSE(bed.fails(get_request()));
}

TEST_CASE("endpoints: load that all of them shed opens no circuit") {
  TestServer one({}, always(503, "one")), other({}, always(503, "other"));
  ClientBed bed(settings(one.url() + "," + other.url()));
  CHECK(ask(bed, 200) == std::map<unsigned, int>{{503, 200}});
  CHECK(bed.stats().circuit == http::Circuit::closed);
  CHECK(bed.stats().ejected == 0);
  ClientBed alone(settings(one.url()));
  CHECK(ask(alone, 200) == std::map<unsigned, int>{{503, 200}});
  CHECK(alone.stats().circuit == http::Circuit::closed);
}

TEST_CASE("endpoints: one that was left alone is tried again though a stream from it is still open") {
  std::atomic<bool> well = true;
  ScriptedServer sick([&](ScriptedServer::Peer& peer, int) {
    for (auto head = peer.head(); !head.empty(); head = peer.head()) {
      if (!well) return peer.reset();
      if (!head.starts_with("GET /stream")) {
        peer.send(kOk);
        continue;
      }
      peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
      return peer.wait_for_end();
    }
  });
  TestServer good({}, always(200, "good"));
  ClientBed bed(settings(sick.url() + "," + good.url()));
  std::unique_ptr<http::Exchange> stream;
  while (!stream || stream->content_length()) stream = bed.run(bed.client->open(get_request("/stream")));
  well = false;
  for (int i = 0; i < 200 && bed.stats().ejected == 0; ++i) CHECK(bed.send(get_request()).status == 200);
  CHECK(bed.stats().ejected == 1);
  well = true;
  turn_for(bed, 5200ms);
  CHECK(bed.stats().circuit == http::Circuit::partly);
  for (int i = 0; i < 60; ++i) CHECK(bed.send(get_request()).status == 200);
  CHECK(bed.stats().circuit == http::Circuit::closed);
  CHECK(bed.stats().in_flight == 1);
  stream.reset();
}

TEST_CASE("endpoints: names are asked for by whom one likes") {
  TestServer server;
  boost::asio::thread_pool other(1);
  auto named = settings("http://localhost:" + std::to_string(server.port()));
  named.names = other.get_executor();
  {
    ClientBed bed(named);
    CHECK(bed.get("/echo?x").body == "x");
    bed.client.reset();  // while its names may be asked for again
  }
  other.join();
}

TEST_CASE("endpoints: names are asked for again soon after one did not answer, and before old addresses are used") {
  auto names = std::make_unique<boost::asio::io_context>();  // asked when it is turned
  const auto answer = [&] {
    names->restart();
    return names->run() > 0;
  };
  const int port = support::free_port();
  auto named = settings("http://localhost:" + std::to_string(port));
  named.names = names->get_executor();
  ClientBed bed(named);
  turn_for(bed, 10ms);
  CHECK(answer());
  turn_for(bed, 10ms);
  CHECK(bed.fails(get_request())->why == Why::refused);
  CHECK_FALSE(answer());
  turn_for(bed, 1100ms);
  const auto failing = http::Clock::now();
  CHECK(bed.fails(get_request())->why == Why::refused);
  CHECK(http::Clock::now() - failing >= 500ms);  // the second attempt waited for news
  CHECK(answer());
  turn_for(bed, 10s);

  TestServer server({}, TestServer::routes(), static_cast<unsigned short>(port));
  const auto begin = http::Clock::now();
  CHECK(bed.get("/echo?x").body == "x");  // nobody answers about the names: the old address will do
  CHECK(http::Clock::now() - begin >= 500ms);
  CHECK(answer());
  turn_for(bed, 10ms);
  const auto known = http::Clock::now();
  CHECK(bed.get("/echo?y").body == "y");
  CHECK(http::Clock::now() - known < 500ms);
  bed.client.reset();
  names.reset();
}

TEST_CASE("endpoints: the first address is waited for as long as was agreed, and by no more than may wait") {
  auto silent = std::make_unique<boost::asio::io_context>();  // nobody turns it: no name server ever answers
  auto unknown = settings("http://localhost:1");
  unknown.names = silent->get_executor();
  unknown.first_look_up = 300ms;
  unknown.in_flight = 2;
  unknown.queue = 1;
  ClientBed bed(unknown);
  const auto begin = http::Clock::now();
  std::vector<std::optional<Why>> ends;
  for (int i = 0; i < 5; ++i)
    boost::asio::co_spawn(bed.loop, bed.client->send(get_request()),
                          [&](std::exception_ptr thrown, const http::ClientResponse&) {
                            try {
                              if (thrown) std::rethrow_exception(thrown);
                            } catch (const http::Unreachable& unreachable) {
                              ends.emplace_back(unreachable.why);
                            }
                          });
  bed.turn_until([&] { return ends.size() == 5; });
  CHECK(http::Clock::now() - begin >= 300ms);
  CHECK(http::Clock::now() - begin < 2s);
  CHECK(ends ==
        std::vector<std::optional<Why>>{Why::overloaded, Why::overloaded, Why::refused, Why::refused, Why::refused});
  CHECK(bed.stats().queue_full == 2);
  CHECK(bed.stats().in_flight == 0);
  bed.client.reset();
  silent.reset();
}

TEST_CASE("endpoints: names that lead nowhere are asked for again without a request, unless they are a stranger's") {
  for (const bool unasked : {true, false}) {
    CAPTURE(unasked);
    auto names = std::make_unique<boost::asio::io_context>();  // asked when it is turned
    const auto answer = [&] {
      names->restart();
      return names->run() > 0;
    };
    auto unknown = settings("http://" + std::string(64, 'x') + ".invalid:1");  // a label too long to be asked for
    unknown.names = names->get_executor();
    unknown.look_up_unasked = unasked;
    ClientBed bed(unknown);
    turn_for(bed, 10ms);
    CHECK(answer());
    turn_for(bed, 5100ms);
    CHECK(answer() == unasked);
    turn_for(bed, 1100ms);
    std::optional<Why> end;
    boost::asio::co_spawn(bed.loop, bed.client->send(get_request()), [&](std::exception_ptr thrown, const auto&) {
      try {
        if (thrown) std::rethrow_exception(thrown);
      } catch (const http::Unreachable& unreachable) {
        end = unreachable.why;
      }
    });
    turn_for(bed, 10ms);
    CHECK_FALSE(end);  // it waits for the names, which are asked for in any case now
    CHECK(answer());
    bed.turn_until([&] { return end.has_value(); });
    CHECK(end == Why::refused);
    bed.client.reset();
    names.reset();
  }
}
