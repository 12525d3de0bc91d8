// Servers that speak RESP badly or not at all.
#include <signal.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/redis_loop.hpp"

using namespace parley::redis_tests;
using asio::ip::tcp;
namespace redis = parley::redis;
using Kind = redis::Reply::Kind;

namespace {

// Answers the n-th read of every connection with the n-th text, whatever was asked; after the last it reads on silently
// or closes.
struct Scripted {
  Scripted(asio::io_context& context, std::vector<std::string> script, bool closes = false)
      : acceptor(context, {asio::ip::make_address("127.0.0.1"), 0}), answers(std::move(script)), closing(closes) {
    asio::co_spawn(context, accept_all(), asio::detached);
  }

  awaitable<void> accept_all() {
    while (true) {
      auto accepted = co_await acceptor.async_accept(asio::as_tuple(asio::deferred));
      if (std::get<0>(accepted)) co_return;
      ++connections;
      asio::co_spawn(acceptor.get_executor(), talk(std::move(std::get<1>(accepted))), asio::detached);
    }
  }

  awaitable<void> talk(tcp::socket socket) {
    char buffer[4096];
    for (std::size_t turn = 0;; ++turn) {
      auto got = co_await socket.async_read_some(asio::buffer(buffer), asio::as_tuple(asio::deferred));
      if (std::get<0>(got) || (closing && turn >= answers.size())) co_return;
      if (turn < answers.size())
        co_await asio::async_write(socket, asio::buffer(answers[turn]), asio::as_tuple(asio::deferred));
    }
  }

  std::string url() const { return "redis://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()); }

  tcp::acceptor acceptor;
  std::vector<std::string> answers;
  bool closing;
  int connections = 0;
};

struct Stage {
  explicit Stage(std::vector<std::string> script, bool closes = false)
      : server(context, std::move(script), closes), client(context.get_executor(), settings()) {
    client.open();
  }

  redis::Settings settings() const {
    redis::Settings out{.url = server.url()};
    out.connect_deadline = 200ms;
    out.min_backoff = 5ms;
    out.max_backoff = 20ms;
    return out;
  }
  void wait_for_fault(const std::string& fault) {
    turn_until(context, [&] { return client.stats().last_fault.find(fault) != std::string::npos; });
  }

  asio::io_context context{1};
  Scripted server;
  redis::Client client;
};

}  // namespace

TEST_CASE("redis client: a server that loads its data is not up yet") {
  Stage stage({"-LOADING Redis is loading the dataset in memory\r\n"});
  stage.wait_for_fault("LOADING");
  CHECK_FALSE(stage.client.up());
  CHECK(run(stage.context, stage.client.command({"PING"})).kind == Kind::unavailable);
  stage.server.answers = {"+PONG\r\n", "$2\r\nhi\r\n"};
  turn_until(stage.context, [&] { return stage.client.up(); });
  CHECK(run(stage.context, stage.client.command({"GET", "k"}, 10s)).text == "hi");
}

TEST_CASE("redis client: a server that repeats the password does not make us tell it") {
  asio::io_context context{1};
  Scripted server(context, {"-ERR unknown command 'AUTH', with args beginning with: 'hunter2'\r\n"});
  auto port = std::to_string(server.acceptor.local_endpoint().port());
  redis::Client client(context.get_executor(), {.url = "redis://:hunter2@127.0.0.1:" + port});
  client.open();
  turn_until(context, [&] { return !client.stats().last_fault.empty(); });
  CHECK(client.stats().last_fault == "AUTH is refused");
}

TEST_CASE("redis client: a server that starts loading is left until it has loaded") {
  const std::string loading = "-LOADING Redis is loading the dataset in memory\r\n";
  Stage stage({"+PONG\r\n", loading});
  turn_until(stage.context, [&] { return stage.client.up(); });
  stage.server.answers[0] = loading;  // to the greeting of the next connection
  CHECK(run(stage.context, stage.client.command({"GET", "k"}, 10s)).kind == Kind::error);
  turn_until(stage.context, [&] { return stage.server.connections == 3; });
  CHECK_FALSE(stage.client.up());
  stage.server.answers = {"+PONG\r\n", "$2\r\nhi\r\n"};
  turn_until(stage.context, [&] { return stage.client.up(); });
  CHECK(run(stage.context, stage.client.command({"GET", "k"}, 10s)).text == "hi");
}

TEST_CASE("redis client: replies that nothing asked for end the connection, not the process") {
  SUBCASE("right after the greeting's") {
    Stage stage({"+PONG\r\n:1\r\n"});
    stage.wait_for_fault("nothing asked for");
    CHECK(stage.client.stats().outstanding == 0);
  }
  SUBCASE("half of one") {
    Stage stage({"+PONG\r\n$10\r\nab"});
    stage.wait_for_fault("nothing asked for");
  }
  SUBCASE("after a reply, many") {
    std::string many = "$1\r\na\r\n";
    for (int i = 0; i < 1000; ++i) many += "+spam\r\n";
    Stage stage({"+PONG\r\n", many});
    turn_until(stage.context, [&] { return stage.client.up(); });
    CHECK(run(stage.context, stage.client.command({"GET", "k"}, 10s)).text == "a");
    stage.wait_for_fault("nothing asked for");
  }
  SUBCASE("while idle") {
    asio::io_context context{1};
    tcp::acceptor chatty(context, {asio::ip::make_address("127.0.0.1"), 0});
    redis::Client client(context.get_executor(),
                         {.url = "redis://127.0.0.1:" + std::to_string(chatty.local_endpoint().port())});
    client.open();
    std::optional<tcp::socket> socket;
    chatty.async_accept([&](boost::system::error_code, tcp::socket accepted) { socket = std::move(accepted); });
    turn_until(context, [&] { return socket.has_value(); });
    asio::write(*socket, asio::buffer(std::string("+PONG\r\n")));
    turn_until(context, [&] { return client.up(); });
    SUBCASE("a reply") {
      asio::write(*socket, asio::buffer(std::string(":7\r\n")));
      turn_until(context, [&] { return client.stats().last_fault == "a reply that nothing asked for"; });
    }
    SUBCASE("an error, which says why") {
      asio::write(*socket, asio::buffer(std::string("-ERR max number of clients reached\r\n")));
      turn_until(context, [&] { return client.stats().last_fault == "ERR max number of clients reached"; });
    }
    SUBCASE("the end") {
      socket->close();
      turn_until(context, [&] { return !client.stats().last_fault.empty(); });
    }
    CHECK_FALSE(client.up());
  }
}

TEST_CASE("redis client: what is not RESP, and connections that end in the middle") {
  for (const char* junk :
       {"HTTP/1.1 400 Bad Request\r\n\r\n", "\x16\x03\x01\x02", "*-2\r\n", "$99999999999999999999\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", ":abc\r\n"}) {
    CAPTURE(junk);
    Stage stage({"+PONG\r\n", junk}, true);
    turn_until(stage.context, [&] { return stage.client.up(); });
    auto first = stage.client.start({"GET", "a"}, 500ms);
    auto reply = run(stage.context, first.get());
    CHECK_FALSE(reply.ok());
  }
  Stage cut({"+PONG\r\n", "$10\r\nabc"}, true);
  turn_until(cut.context, [&] { return cut.client.up(); });
  auto first = cut.client.start({"GET", "a"}, 10s);
  turn_for(cut.context, 20ms);
  auto second = cut.client.start({"GET", "b"}, 10s);
  CHECK(run(cut.context, first.get()).kind == Kind::unavailable);
  CHECK(run(cut.context, second.get()).kind == Kind::unavailable);
  turn_until(cut.context, [&] { return cut.server.connections > 1; });
}

TEST_CASE("redis client: replies beyond all bounds end the connection before there is room made for them") {
  const auto arrays = [](std::size_t count, std::size_t elements) {
    auto out = "*" + std::to_string(count) + "\r\n";
    for (std::size_t i = 0; i < count; ++i) {
      out += "*" + std::to_string(elements) + "\r\n";
      for (std::size_t k = 0; k < elements; ++k) out += ":1\r\n";
    }
    return out;
  };
  const auto replies = [](const std::string& reply) {
    Stage stage({"+PONG\r\n", reply});
    turn_until(stage.context, [&] { return stage.client.up(); });
    auto asked = stage.client.start({"GET", "a"}, 10s);
    const auto kind = run(stage.context, asked.get()).kind;
    return std::pair(kind, stage.client.stats().last_fault);
  };
  CHECK(replies("*2147483647\r\n").second == "a reply of too many elements");
  CHECK(replies("*2\r\n:1\r\n*922222222\r\n").second == "a reply of too many elements");
  CHECK(replies(arrays(4, 1'023)).first == Kind::array);
  CHECK(replies(arrays(4, 1'024)).second == "a reply of too many elements");
  const auto text = [](std::size_t length) {
    return "$" + std::to_string(length) + "\r\n" + std::string(length, 'a') + "\r\n";
  };
  CHECK(replies(text(8'000'000)).first == Kind::string);
  CHECK(replies(text(9'000'000)).second == "a reply that is too long");
}

TEST_CASE("redis client: a server that accepts and never answers is tried again and again") {
  Stage stage({});
  stage.wait_for_fault("within the deadline");
  turn_until(stage.context, [&] { return stage.server.connections >= 3; });
  CHECK_FALSE(stage.client.up());
}

TEST_CASE("redis client: writing to connections that the server has closed ends nothing but them") {
  struct sigaction before{};
  ::sigaction(SIGPIPE, nullptr, &before);
  ::signal(SIGPIPE, SIG_DFL);  // which would end this process
  {
    Stage stage({"+PONG\r\n"}, true);
    for (int i = 0; i < 20; ++i) {
      turn_until(stage.context, [&] { return stage.client.up(); });
      stage.client.start({"GET", "a"});  // after which the server closes
      std::this_thread::sleep_for(1ms);
      for (int more = 0; more < 4 && stage.client.up(); ++more) {
        stage.context.poll_one();
        stage.client.start({"GET", "b"});
        std::this_thread::sleep_for(100us);
      }
    }
  }
  ::sigaction(SIGPIPE, &before, nullptr);
}
