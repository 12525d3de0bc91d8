#pragma once
// Servers and clients for the tests of common/http: a server of ours on a thread of its own, a client that writes and
// reads octets as it likes, a server that follows a script, and a loop on which coroutines run to their end.
#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/http/client.hpp"
#include "common/http/loop.hpp"
#include "common/http/message_reader.hpp"
#include "common/http/problem.hpp"
#include "common/http/server.hpp"
#include "tests/support/loopback.hpp"

namespace parley::http_tests {

using boost::asio::awaitable;
using namespace std::chrono_literals;

struct Answer {
  unsigned status = 0;
  std::string fields;  // "name: value\n" each
  std::string body;
  bool keep_alive = false;
  std::string field(const std::string& name) const;
};

// A client's end of a connection, blocking, 30 s at most.
class Wire {
 public:
  // From 127.0.0.1, or the address so many after it.
  explicit Wire(unsigned short port, unsigned from = 0);
  ~Wire();
  Wire(Wire&& other) noexcept;
  Wire& operator=(Wire&&) = delete;

  bool send(std::string_view octets);
  // The next answer, nullopt if the connection ends (or breaks) before it is whole.
  std::optional<Answer> answer(bool to_head = false);
  std::optional<Answer> ask(std::string_view octets) { return send(octets) ? answer() : std::nullopt; }
  // All octets until the other side ends the connection.
  std::string rest();
  // The other side ended the connection, in order, without a further octet.
  bool ended();
  void shut();            // sends no more
  void receive_little();  // makes the receive buffer as small as can be
  void reset();           // closes with a reset

 private:
  long receive(char* to, std::size_t size);
  int socket_ = -1;
  std::unique_ptr<http::MessageReader<false>> reader_;
};

std::string get(std::string_view target, std::string_view fields = "");
std::string post(std::string_view target, std::string_view body, std::string_view fields = "");

// A body of pieces; each may throw instead.
class Pieces final : public http::BodySource {
 public:
  explicit Pieces(std::vector<std::string> pieces, bool fails = false) : pieces_(std::move(pieces)), fails_(fails) {}
  awaitable<std::string_view> next() override;

 private:
  std::vector<std::string> pieces_;
  std::size_t at_ = 0;
  bool fails_;
};

awaitable<void> pause_for(std::chrono::milliseconds time);

// A server of ours with some routes: see http_bed.cpp.
class TestServer {
 public:
  using Serve = std::function<awaitable<http::Response>(http::Request&)>;
  // At a port of its own choosing if none is given.
  explicit TestServer(http::ServerLimits limits = {}, Serve serve = routes(), unsigned short port = 0);
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  unsigned short port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  Wire wire(unsigned from = 0) const { return Wire(port_, from); }
  // Does something on the server's thread.
  template <class Work>
  auto call(Work work) {
    std::packaged_task<decltype(work(std::declval<http::Server&>()))()> task([&] { return work(*server_); });
    boost::asio::post(loop_, [&task] { task(); });
    return task.get_future().get();
  }
  http::ServerStats stats() {
    return call([](http::Server& server) { return server.stats(); });
  }
  // Waits until the statistics are as wanted; false after 30 s.
  bool wait_for(const std::function<bool(const http::ServerStats&)>& wanted);
  void stop();

  static Serve routes();

 private:
  http::Loop loop_;
  http::DeadlineSweeper wheel_{loop_};
  std::unique_ptr<http::Server> server_;
  unsigned short port_ = 0;
  std::thread thread_;
};

// A listening socket; what it does with each connection is written by the test, which runs on a thread of its own.
class ScriptedServer {
 public:
  // One end of an accepted connection.
  class Peer {
   public:
    explicit Peer(int socket) : socket_(socket) {}
    // Reads up to and with a request's head's end; "" when there is none.
    std::string head();
    bool send(std::string_view octets);
    std::string read(std::size_t octets);
    void close();
    void reset();
    void wait_for_end();  // of the other side
    int descriptor() const { return socket_; }

   private:
    int socket_;
  };
  explicit ScriptedServer(std::function<void(Peer&, int number)> script);
  ~ScriptedServer();
  int port() const { return listener_.port; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port()); }
  int connections() const { return connections_; }

 private:
  support::Listener listener_;
  std::atomic<int> connections_ = 0;
  std::function<void(Peer&, int)> script_;
  std::vector<std::thread> peers_;
  std::thread thread_;
};

// As many file descriptors as the system lets us have.
void allow_many_descriptors();

// A loop with a client on it.
struct ClientBed {
  http::Loop loop;
  http::DeadlineSweeper wheel{loop};
  std::unique_ptr<http::Client> client;

  explicit ClientBed(http::UpstreamSettings settings)
      : client(std::make_unique<http::Client>(loop, wheel, std::move(settings))) {}
  ~ClientBed() { loop.end(); }

  http::UpstreamStats stats() { return client->upstream().stats(); }
  // Turns the loop until the condition holds; 30 s without fail the test.
  void turn_until(const std::function<bool()>& condition);
  template <class T>
  T run(awaitable<T> work) {
    std::exception_ptr error;
    std::optional<T> result;
    bool ended = false;
    boost::asio::co_spawn(loop, std::move(work), [&](std::exception_ptr e, T value) {
      error = e;
      if (!e) result = std::move(value);
      ended = true;
    });
    turn_until([&] { return ended; });
    if (error) std::rethrow_exception(error);
    return std::move(*result);
  }
  http::ClientResponse send(http::ClientRequest request) { return run(client->send(std::move(request))); }
  http::ClientResponse get(std::string target = "/echo") { return send({.target = std::move(target)}); }
  // Why no answer could be had; nullopt if there was one.
  std::optional<http::Unreachable> fails(http::ClientRequest request);
};

}  // namespace parley::http_tests
