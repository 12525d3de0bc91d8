#include "common/http/server.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>

#include "common/http/session.hpp"

namespace parley::http {

namespace asio = boost::asio;
using asio::ip::tcp;

Server::Server(asio::io_context& context, DeadlineWheel& wheel, const tcp::endpoint& endpoint, ServerLimits limits,
               ServerHandler handler)
    : context_(context),
      wheel_(wheel),
      acceptor_(context),
      pause_(context),
      limits_(limits),
      handler_(std::move(handler)) {
  stats_.bodies.most = limits_.gathered;
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
    if (stats_.connections >= limits_.connections) {  // later ones wait in the kernel's queue
      pause_.expires_after(std::chrono::milliseconds(20));
      co_await pause_.async_wait(asio::as_tuple(asio::deferred));
      continue;
    }
    auto [error, socket] = co_await acceptor_.async_accept(asio::as_tuple(asio::deferred));
    if (!error) {
      open(std::move(socket));
    } else if (!stopping_) {  // out of descriptors or memory: a pause lets others end
      pause_.expires_after(std::chrono::milliseconds(50));
      co_await pause_.async_wait(asio::as_tuple(asio::deferred));
    }
  }
}

// Connections that the kernel holds for us would be reset with the listening socket, and the requests in them lost.
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
  if (limits_.connections_an_address > 0 && by_address_[address] >= limits_.connections_an_address) {
    ++stats_.faults[kTooManyConnections];
    return;
  }
  socket.set_option(tcp::no_delay(true), error);
  ++stats_.accepted;
  ++stats_.connections;
  ++by_address_[address];
  auto session = std::make_shared<Session>(*this, std::move(socket), std::move(address));
  session->after_ = sessions_;
  if (sessions_) sessions_->before_ = session.get();
  sessions_ = session.get();
  auto running = session->run();
  asio::co_spawn(context_, std::move(running), [session](std::exception_ptr) {});
  if (stopping_) session->close_when_idle();  // accepted before, and known only now
}

void Server::forget(Session& session) {
  (session.before_ ? session.before_->after_ : sessions_) = session.after_;
  if (session.after_) session.after_->before_ = session.before_;
  --stats_.connections;
  const auto counted = by_address_.find(session.remote_address_);
  if (counted != by_address_.end() && --counted->second == 0) by_address_.erase(counted);
}

void Server::stop_accepting() {
  draining_ = stopping_ = true;
  for (Session* session = sessions_; session; session = session->after_) session->close_when_idle();
  accept_waiting();  // last, as whoever finds a connection closed begins another one at once
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
