#include "common/http/server.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "common/http/address.hpp"
#include "common/http/session.hpp"

namespace parley::http {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {
constexpr std::size_t kMaxLookedAt = 64;  // networks examined for an eviction
constexpr int kMaxUnsent = 32 << 10;      // unsent octets that the kernel accepts per connection
}  // namespace

Server::Server(asio::io_context& context, DeadlineSweeper& wheel, const tcp::endpoint& endpoint, ServerLimits limits,
               ServerHandler handler)
    : context_(context),
      wheel_(wheel),
      acceptor_(context),
      pause_(context),
      limits_(limits),
      handler_(std::move(handler)),
      networks_(limits_.connections_an_address) {
  stats_.bodies.most = limits_.gathered;
  stats_.answers.most = limits_.answers;
  acceptor_.open(endpoint.protocol());
  acceptor_.set_option(tcp::acceptor::reuse_address(true));
  acceptor_.bind(endpoint);
  acceptor_.listen(1024);
  endpoint_ = acceptor_.local_endpoint();
}

Server::~Server() { close_all(); }

void Server::start() { asio::co_spawn(context_, accept(), asio::detached); }

awaitable<void> Server::accept() {
  while (!stopping_) {
    if (stats_.connections >= limits_.connections && !co_await next_has_room()) {  // clients queue in the kernel
      pause_.expires_after(std::chrono::milliseconds(20));
      co_await pause_.async_wait(asio::as_tuple(asio::deferred));
      continue;
    }
    auto [error, socket] = co_await acceptor_.async_accept(asio::as_tuple(asio::deferred));
    if (!error) {
      open(std::move(socket));
    } else if (!stopping_ && !(error == asio::error::no_descriptors && make_room(false))) {
      pause_.expires_after(std::chrono::milliseconds(50));
      co_await pause_.async_wait(asio::as_tuple(asio::deferred));
    }
  }
}

// Evicts a connection only once another one is waiting to be accepted.
awaitable<bool> Server::next_has_room() {
  if (limits_.connections_an_address == 0) co_return false;
  const auto [error] = co_await acceptor_.async_wait(tcp::acceptor::wait_read, asio::as_tuple(asio::deferred));
  co_return !error && (stats_.connections < limits_.connections || make_room(false));
}

// Closing the listening socket would reset the connections queued in the kernel and lose their requests.
void Server::accept_waiting() {
  boost::system::error_code error;
  acceptor_.non_blocking(true, error);
  while (!error && stats_.connections < limits_.connections) {
    auto socket = acceptor_.accept(error);
    if (!error) open(std::move(socket));
  }
}

void Server::open(tcp::socket socket) {
  boost::system::error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) return;
  auto address = remote.address().to_string();
  Network* network = nullptr;
  if (limits_.connections_an_address > 0 && !(limits_.is_exempt && limits_.is_exempt(address))) {
    network = enter(address);
    if (!network) {
      ++stats_.faults[kTooManyConnections];
      return;
    }
  }
  socket.set_option(tcp::no_delay(true), error);
  // Keeps an unread response in this process, where it is counted, instead of in megabytes of kernel buffers.
  ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kMaxUnsent, sizeof kMaxUnsent);
  ++stats_.accepted;
  ++stats_.connections;
  auto session = std::make_shared<Session>(*this, std::move(socket), std::move(address));
  session->network_ = network;
  if (network) session->in_network_ = network->sessions.insert(network->sessions.end(), session.get());
  session->after_ = sessions_;
  if (sessions_) sessions_->before_ = session.get();
  sessions_ = session.get();
  auto running = session->run();
  asio::co_spawn(context_, std::move(running), [session](std::exception_ptr) {});
  if (stopping_) session->close_when_idle();  // accepted before stop_accepting(), which could not see it
}

// At the bound, evicts the subscriber's longest idle connection: a new connection is more likely to be in use.
Network* Server::enter(const std::string& address) {
  if (auto* const network = networks_.enter(address)) return network;
  auto* const full = networks_.find(address);
  if (!full) return nullptr;
  const auto subscriber = network_of(address);
  Session* idle = nullptr;
  for (Session* each : full->sessions)
    if (each->is_idle() && network_of(each->remote_address_) == subscriber && each->is_before(idle)) idle = each;
  if (!idle) return nullptr;
  evict(*idle);
  return networks_.enter(address);
}

// Evicts, in the network that uses most memory, the longest idle connection, else the one that has waited longest for
// its client; with `of_buffers` only one with counted buffers. Returns false if there is none but `for_whom`.
bool Server::make_room(bool of_buffers, const Session* for_whom) {
  Session* spared = nullptr;
  std::uint64_t weight = 0;
  std::size_t looked_at = 0;
  const auto& networks = networks_.by_weight();
  for (auto at = networks.rbegin(); at != networks.rend(); ++at) {
    if ((spared && at->first < weight) || ++looked_at > kMaxLookedAt) break;
    weight = at->first;
    for (Session* each : at->second->sessions)
      if (each->waits() && (!of_buffers || each->held_ > 0) && each->is_before(spared)) spared = each;
  }
  if (!spared || spared == for_whom) return false;
  evict(*spared);
  return true;
}

// Returns false when the buffers exceed the bound and no other connection can be evicted.
bool Server::hold(Session& session, std::uint64_t octets) {
  if (!session.is_counted_) return true;
  const auto before = std::exchange(session.held_, octets);
  stats_.buffered += octets - before;
  if (session.network_) networks_.hold(*session.network_, before, octets);
  if (octets <= before || limits_.read_buffers == 0) return true;
  while (stats_.buffered > limits_.read_buffers)
    if (!make_room(true, &session)) return false;
  return true;
}

void Server::evict(Session& session) {
  ++stats_.made_room;
  leave(session);
  session.cut_off();
}

awaitable<bool> Server::wait_until_closed(Clock::time_point deadline) {
  while (stats_.connections > 0)
    if (!co_await closed_.wait(deadline)) break;
  co_return stats_.connections == 0;
}

// Frees the connection's counts at once, though its coroutine may take a moment to end.
void Server::leave(Session& session) {
  if (!session.is_counted_) return;
  hold(session, 0);
  session.is_counted_ = false;
  if (--stats_.connections == 0) closed_.pulse();
  if (!session.network_) return;
  session.network_->sessions.erase(session.in_network_);
  networks_.leave(*session.network_, session.remote_address_);
  session.network_ = nullptr;
}

void Server::forget(Session& session) {
  leave(session);
  (session.before_ ? session.before_->after_ : sessions_) = session.after_;
  if (session.after_) session.after_->before_ = session.before_;
}

void Server::stop_accepting() {
  draining_ = stopping_ = true;
  for (Session* session = sessions_; session; session = session->after_) session->close_when_idle();
  accept_waiting();  // last, because clients reconnect at once when a connection closes
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
}

void Server::close_all() {
  stopping_ = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  for (Session* session = sessions_; session; session = session->after_) session->close();
}

}  // namespace parley::http
