#include "tests/support/fault_proxy.hpp"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "tests/support/loopback.hpp"

namespace parley::support {

namespace {

constexpr std::size_t kMaxWaiting = 256 << 10;  // octets per direction before the sender has to wait
constexpr int kTick = 2;                        // milliseconds between checks for due octets

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

FaultProxy::FaultProxy(int server_port) : server_port_(server_port) {
  const auto listener = listen();
  listener_ = listener.socket;
  port_ = listener.port;
  ::fcntl(listener_, F_SETFL, O_NONBLOCK);
  thread_ = std::thread([this] { run(); });
}

FaultProxy::~FaultProxy() {
  stop_ = true;
  thread_.join();
  for (auto& pair : pairs_) close(pair, true);
  ::close(listener_);
}

void FaultProxy::close(Pair& pair, bool with_reset) {
  for (const int socket : {pair.ways[0].from, pair.ways[1].from}) {
    const linger at_once{1, 0};
    if (with_reset) ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::close(socket);
  }
}

void FaultProxy::accept() {
  const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (client < 0) return;
  // On loopback a connection succeeds or fails at once.
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = loopback(server_port_);
  Pair pair{{{client, server, {}}, {server, client, {}}}};
  if (cut_ || server < 0 || ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return close(pair, true);
  ::fcntl(server, F_SETFL, O_NONBLOCK);
  const int on = 1;
  for (const int socket : {client, server}) ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  pairs_.push_back(std::move(pair));
}

void FaultProxy::read(Way& way, Pair& pair) {
  char buffer[65'536];
  const auto got = ::recv(way.from, buffer, sizeof buffer, 0);
  if (got < 0 && would_block()) return;
  if (got < 0) {
    pair.broken = true;
  } else if (got == 0) {
    way.ended = true;
  } else {
    way.pieces.push_back(
        {Clock::now() + std::chrono::milliseconds(delay_), std::string(buffer, static_cast<std::size_t>(got))});
    way.waiting += static_cast<std::size_t>(got);
  }
}

void FaultProxy::write(Way& way, Pair& pair) {
  while (!way.pieces.empty() && way.pieces.front().due <= Clock::now()) {
    auto& octets = way.pieces.front().octets;
    const auto sent = ::send(way.to, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (sent < 0 && would_block()) return;
    if (sent < 0) {
      pair.broken = true;
      return;
    }
    way.waiting -= static_cast<std::size_t>(sent);
    octets.erase(0, static_cast<std::size_t>(sent));
    if (octets.empty()) way.pieces.pop_front();
  }
  if (way.ended && way.pieces.empty() && !way.closed) {
    way.closed = true;
    ::shutdown(way.to, SHUT_WR);
  }
}

void FaultProxy::run() {
  std::vector<pollfd> waits;
  while (!stop_) {
    waits.assign(1, {listener_, POLLIN, 0});
    bool pending = false;
    for (auto& pair : pairs_)
      for (auto& way : pair.ways) {
        const bool wanted = !hangs_ && !way.ended && way.waiting < kMaxWaiting;
        waits.push_back({wanted ? way.from : -1, POLLIN, 0});
        pending = pending || !way.pieces.empty();
      }
    ::poll(waits.data(), waits.size(), pending ? kTick : 20);
    std::size_t at = 1;
    for (auto& pair : pairs_)
      for (auto& way : pair.ways) {
        if (waits[at++].revents != 0) read(way, pair);
        if (!hangs_) write(way, pair);
      }
    if (waits[0].revents != 0) accept();
    std::erase_if(pairs_, [this](Pair& pair) {
      const bool done = pair.ways[0].closed && pair.ways[1].closed;
      if (!done && !pair.broken && !cut_) return false;
      close(pair, !done);
      return true;
    });
    count_ = pairs_.size();
  }
}

}  // namespace parley::support
