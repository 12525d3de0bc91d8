#include "tests/integration/http_bed.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "common/http/query.hpp"
#include "tests/support/loop.hpp"

namespace parley::http_tests {

namespace asio = boost::asio;

namespace {

const http::ReaderLimits kLimits{.body = 1 << 30};

void set_time(int socket, int seconds) {
  const timeval time{.tv_sec = seconds, .tv_usec = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

bool send_all(int socket, std::string_view octets) {
  while (!octets.empty()) {
    const auto sent = ::send(socket, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    octets.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void close_with_reset(int& socket) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  ::close(socket);
  socket = -1;
}

}  // namespace

std::string Answer::field(const std::string& name) const {
  const auto at = fields.find(name + ": ");
  if (at == std::string::npos) return "";
  const auto begin = at + name.size() + 2;
  return fields.substr(begin, fields.find('\n', begin) - begin);
}

Wire::Wire(unsigned short port, unsigned from) : reader_(std::make_unique<http::MessageReader<false>>(kLimits)) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  set_time(socket_, 30);
  const auto ours = support::loopback(0, from), address = support::loopback(port);
  if (from > 0 && ::bind(socket_, reinterpret_cast<const sockaddr*>(&ours), sizeof ours) != 0)
    throw std::runtime_error("cannot bind");
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address)) {
    ::close(socket_);
    throw std::runtime_error("cannot connect");
  }
}

Wire::Wire(Wire&& other) noexcept : socket_(std::exchange(other.socket_, -1)), reader_(std::move(other.reader_)) {}

Wire::~Wire() {
  if (socket_ >= 0) ::close(socket_);
}

bool Wire::send(std::string_view octets) { return send_all(socket_, octets); }
long Wire::receive(char* to, std::size_t size) { return ::recv(socket_, to, size, 0); }
void Wire::shut() { ::shutdown(socket_, SHUT_WR); }
void Wire::reset() { close_with_reset(socket_); }
void Wire::receive_little() {
  const int size = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

std::optional<Answer> Wire::answer(bool to_head) {
  using Step = http::MessageReader<false>::Step;
  Answer out;
  reader_->next_message();
  if (to_head) reader_->expect_no_body();
  for (;;) {
    switch (reader_->step()) {
      case Step::head:
        out.status = reader_->head().status;
        out.keep_alive = reader_->head().keep_alive;
        for (const auto& [name, value] : reader_->head().fields())
          out.fields.append(name).append(": ").append(value).append("\n");
        continue;
      case Step::body:
        out.body += reader_->piece();
        continue;
      case Step::done:
        return out;
      case Step::fault:
        return std::nullopt;
      case Step::need_more:
        break;
    }
    const auto space = reader_->space();
    const auto got = receive(space.data(), space.size());
    if (got < 0) return std::nullopt;
    if (got == 0) return reader_->end_of_stream() == Step::done ? std::optional(out) : std::nullopt;
    reader_->commit(static_cast<std::size_t>(got));
  }
}

std::string Wire::rest() {
  std::string out;
  char octets[65536];
  for (long got; (got = receive(octets, sizeof octets)) > 0;) out.append(octets, static_cast<std::size_t>(got));
  return out;
}

bool Wire::ended() {
  char octet;
  return !reader_->has_octets() && receive(&octet, 1) == 0;
}

std::string get(std::string_view target, std::string_view fields) {
  return std::string("GET ").append(target).append(" HTTP/1.1\r\nHost: test\r\n").append(fields).append("\r\n");
}

std::string post(std::string_view target, std::string_view body, std::string_view fields) {
  return std::string("POST ")
      .append(target)
      .append(" HTTP/1.1\r\nHost: test\r\nContent-Length: ")
      .append(std::to_string(body.size()))
      .append("\r\n")
      .append(fields)
      .append("\r\n")
      .append(body);
}

awaitable<std::string_view> Pieces::next() {
  if (at_ == pieces_.size() && fails_) throw std::runtime_error("the source broke");
  if (at_ == pieces_.size()) co_return std::string_view{};
  co_return pieces_[at_++];
}

awaitable<void> pause_for(std::chrono::milliseconds time) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor, time);
  co_await timer.async_wait(asio::deferred);
}

TestServer::Serve TestServer::routes() {
  return [](http::Request& request) -> awaitable<http::Response> {
    http::Response response;
    response.content_type = "text/plain";
    const auto number = [&] { return std::stoul("0" + std::string(request.query)); };
    if (request.path == "/echo") {  // its body, or its query
      const auto body = co_await request.body();
      response.body = request.has_body ? body : request.query;
      response.add("Target", request.target);  // still there after the body was read
    } else if (request.path == "/large") {
      response.body.assign(number(), 'x');
    } else if (request.path == "/slow") {
      co_await pause_for(std::chrono::milliseconds(number()));
      response.body = "slow";
    } else if (request.path == "/ignore") {  // leaves the body unread
      response.body = "ignored";
    } else if (request.path == "/half") {  // reads one piece
      response.body = std::to_string((co_await request.body_source->next()).size());
    } else if (request.path == "/dawdle") {  // reads slowly
      std::size_t size = 0;
      for (;;) {
        const auto piece = co_await request.body_source->next();
        if (piece.empty()) break;
        size += piece.size();
        co_await pause_for(std::chrono::milliseconds(number()));
      }
      response.body = std::to_string(size);
    } else if (request.path == "/throw") {
      throw std::runtime_error("a handler's mistake");
    } else if (request.path == "/problem") {
      throw http::Problem({.status = 418, .detail = "short and stout"});
    } else if (request.path == "/empty") {
      response.status = static_cast<unsigned>(number());
      response.body = "must not be seen";
    } else if (request.path == "/chunks") {
      response.stream = std::make_unique<Pieces>(std::vector<std::string>{"one", "two", std::string(100'000, '3')});
    } else if (request.path == "/stream") {
      response.stream = std::make_unique<Pieces>(std::vector<std::string>{"one", "two"});
      response.stream_length = number();
    } else if (request.path == "/broken-chunks" || request.path == "/broken-stream") {
      response.stream = std::make_unique<Pieces>(std::vector<std::string>{"one", "two"}, true);
      if (request.path == "/broken-stream") response.stream_length = 9;
    } else {
      response.status = 404;
    }
    co_return response;
  };
}

TestServer::TestServer(http::ServerLimits limits, Serve serve, unsigned short port) {
  std::signal(SIGPIPE, SIG_IGN);
  http::ServerHandler handler{std::move(serve), [](unsigned status, std::string_view reason, std::string_view) {
                                http::Response response;
                                response.status = status;
                                response.body = reason;
                                return response;
                              }};
  const asio::ip::tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
  server_ = std::make_unique<http::Server>(loop_, wheel_, endpoint, limits, std::move(handler));
  port_ = server_->endpoint().port();
  server_->start();
  thread_ = std::thread([this] { loop_.run(); });
}

void TestServer::stop() {
  if (!thread_.joinable()) return;
  loop_.stop();
  thread_.join();
  loop_.end();
}

TestServer::~TestServer() { stop(); }

bool TestServer::wait_for(const std::function<bool(const http::ServerStats&)>& wanted) {
  for (int i = 0; i < 3000; ++i) {
    if (wanted(stats())) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

std::string ScriptedServer::Peer::head() {
  std::string out;
  char octet;
  while (!out.ends_with("\r\n\r\n")) {
    if (::recv(socket_, &octet, 1, 0) != 1) return "";
    out += octet;
  }
  return out;
}

bool ScriptedServer::Peer::send(std::string_view octets) { return send_all(socket_, octets); }
std::string ScriptedServer::Peer::read(std::size_t octets) {
  std::string out(octets, '\0');
  const auto got = ::recv(socket_, out.data(), octets, MSG_WAITALL);
  out.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return out;
}
void ScriptedServer::Peer::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}
void ScriptedServer::Peer::reset() { close_with_reset(socket_); }
void ScriptedServer::Peer::wait_for_end() {
  char octets[4096];
  while (::recv(socket_, octets, sizeof octets, 0) > 0) {
  }
}

ScriptedServer::ScriptedServer(std::function<void(Peer&, int number)> script)
    : listener_(support::listen()), script_(std::move(script)), thread_([this] {
        for (;;) {
          const int accepted = ::accept4(listener_.socket, nullptr, nullptr, SOCK_CLOEXEC);
          if (accepted < 0) return;
          set_time(accepted, 30);
          const int number = connections_++;
          peers_.emplace_back([this, accepted, number] {
            Peer peer(accepted);
            script_(peer, number);
            peer.close();
          });
        }
      }) {}

ScriptedServer::~ScriptedServer() {
  ::shutdown(listener_.socket, SHUT_RDWR);
  thread_.join();
  for (auto& peer : peers_) peer.join();
  ::close(listener_.socket);
}

void allow_many_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 65536);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void ClientBed::turn_until(const std::function<bool()>& condition) {
  support::wait_until(condition, [&] { loop.run_one_for(10ms); });
}

std::optional<http::Unreachable> ClientBed::fails(http::ClientRequest request) {
  try {
    send(std::move(request));
  } catch (const http::Unreachable& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace parley::http_tests
