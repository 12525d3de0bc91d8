#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <exception>
#include <random>

#include "common/pg/connection.hpp"
#include "common/pg/frames.hpp"

namespace parley::pg {
namespace {

using namespace std::chrono_literals;

constexpr auto first_pause = 50ms;
constexpr auto max_pause = 5'000ms;

// Exponential backoff with jitter of up to half, so that connections do not reconnect in step.
Clock::duration pause_after(unsigned failures) {
  static std::minstd_rand random(std::random_device{}());
  const auto whole = std::min<std::chrono::milliseconds>(max_pause, first_pause * (1U << std::min(failures, 8U)));
  return whole - whole * std::uniform_int_distribution<int>(0, 500)(random) / 1'000;
}

void ignore_notice(void*, const PGresult*) {}

}  // namespace

void Connection::start() {
  if (std::exchange(started_, true)) return;
  asio::co_spawn(context_, run(shared_from_this()), asio::detached);
}

void Connection::hurry() {
  if (std::exchange(pausing_, false)) pause_.cancel();
}

awaitable<void> Connection::run(std::shared_ptr<Connection> self) {
  auto& connection = *self;
  while (!connection.closed_) {
    const bool tries = connection.events_.may_connect();
    if (tries) co_await connection.connect();
    if (connection.connected_) {
      connection.pause_.expires_at(Clock::time_point::max());  // until drop() cancels the timer
      co_await connection.pause_.async_wait(asio::as_tuple(asio::deferred));
    }
    if (connection.closed_) break;
    if (tries && !connection.was_ready_) {
      ++connection.failures_;
      if (connection.events_.refused) connection.events_.refused(connection, connection.failure_);
    }
    connection.pausing_ = true;
    connection.pause_.expires_after(tries ? pause_after(connection.failures_) : max_pause);  // or until hurry()
    co_await connection.pause_.async_wait(asio::as_tuple(asio::deferred));
    connection.pausing_ = false;
  }
}

// Ends with connected_ set, or with everything undone and failure_ set.
awaitable<void> Connection::connect() {
  const auto epoch = ++epoch_;
  was_ready_ = false;
  connecting_ = true;
  // PQconnectPoll ignores libpq's connect_timeout.
  watchdog_.expires_after(settings_.connect_timeout);
  watchdog_.async_wait([self = shared_from_this(), epoch](error_code error) {
    if (!error && epoch == self->epoch_ && !self->ready_) self->drop("connecting took too long");
  });
  Address::Parameters parameters;
  std::string failure;
  try {
    parameters = co_await address_.resolve(context_, first_host_ + failures_, settings_.connect_timeout);
  } catch (const std::exception& fault) {
    failure = fault.what();
  }
  if (epoch != epoch_) co_return;
  if (!failure.empty()) {
    drop(failure);
    co_return;
  }
  std::vector<const char*> keywords, values;
  for (const auto& [keyword, value] : parameters.items) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  connection_.reset(::PQconnectStartParams(keywords.data(), values.data(), 0));
  if (!connection_ || ::PQstatus(connection_.get()) == CONNECTION_BAD) {
    drop(connection_ ? ::PQerrorMessage(connection_.get()) : "no memory");
    co_return;
  }
  ::PQsetNoticeReceiver(connection_.get(), ignore_notice, nullptr);
  co_await poll_until_connected(epoch);
  if (epoch == epoch_) begin_session();
}

// Ends in the same epoch when connected; a failure begins another one.
awaitable<void> Connection::poll_until_connected(unsigned epoch) {
  auto want = PGRES_POLLING_WRITING;
  while (want != PGRES_POLLING_OK) {
    error_code error;
    descriptor_.assign(::PQsocket(connection_.get()), error);  // libpq may have changed the socket
    if (!error) {
      const auto kind = want == PGRES_POLLING_READING ? asio::posix::descriptor_base::wait_read
                                                      : asio::posix::descriptor_base::wait_write;
      auto waited = co_await descriptor_.async_wait(kind, asio::as_tuple(asio::deferred));
      error = std::get<0>(waited);
    }
    if (epoch != epoch_) co_return;
    if (descriptor_.is_open()) descriptor_.release();
    if (error) {
      drop("connecting: " + error.message());
      co_return;
    }
    want = ::PQconnectPoll(connection_.get());
    if (want == PGRES_POLLING_FAILED) {
      drop(::PQerrorMessage(connection_.get()));
      co_return;
    }
  }
}

void Connection::begin_session() {
  error_code error;
  if (::PQsetnonblocking(connection_.get(), 1) != 0 || ::PQenterPipelineMode(connection_.get()) != 1)
    return drop("cannot enter pipeline mode");
  descriptor_.assign(::PQsocket(connection_.get()), error);
  if (error) return drop("connecting: " + error.message());
  connected_ = true;
  preparations_.assign(statement_count(), Preparation::none);
  // Even an empty batch is answered before the connection is ready: a pooler may accept it before its server is up.
  auto session = PipelinedBatchPtr::make();
  session->frame = Frame::bare;
  session->lane = settings_.lane;
  if (settings_.prepared)
    for (const Statement* statement : session_statements(settings_.lane)) session->calls.push_back({statement, 0});
  session->sent_at = Clock::now();
  session->deadline = session->sent_at + settings_.connect_timeout;
  wait_readable();
  transmit(std::move(session));
}

}  // namespace parley::pg
