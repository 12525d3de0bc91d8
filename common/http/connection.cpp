#include "common/http/connection.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <ctime>

#include "common/http/peer.hpp"

namespace parley::http {

namespace asio = boost::asio;
using boost::system::error_code;

Connection::Connection(asio::io_context& context, DeadlineSweeper& wheel, std::uint64_t answer_limit,
                       std::size_t read_buffer, std::chrono::milliseconds abort_time)
    : socket_(context),
      limits_{.body = answer_limit, .first_read = read_buffer},
      reader_(limits_),
      deadline_(wheel,
                [this] {
                  timed_out_ = true;
                  close();
                }),
      abort_time_(abort_time) {}

// Closes explicitly: Asio's socket destructor delivers pending octets whatever SO_LINGER says.
Connection::~Connection() { close(); }

void Connection::close() {
  error_code ignored;
  socket_.close(ignored);
}

void Connection::set_aborting() {
  error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  const auto time = static_cast<unsigned>(abort_time_.count());
  ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &time, sizeof time);
}

void Connection::fail(error_code error, const char* doing) {
  using Why = Unreachable::Why;
  const Why why = timed_out_ ? Why::timeout : error == asio::error::connection_refused ? Why::refused : Why::reset;
  throw Unreachable(why, std::string(doing) + ": " + (timed_out_ ? "timed out" : error.message()), !wrote_);
}

awaitable<void> Connection::open(const asio::ip::tcp::endpoint& address, const std::string& name,
                                 asio::ssl::context* tls, Clock::duration time) {
  deadline_.set(time);
  const auto [refused] = co_await socket_.async_connect(address, asio::as_tuple(asio::deferred));
  if (refused) fail(refused, "connecting");
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  if (abort_time_.count() > 0) set_aborting();
  if (tls) {
    tls_ = std::make_unique<asio::ssl::stream<Plain&>>(socket_, *tls);
    error_code not_numeric;
    asio::ip::make_address(name, not_numeric);
    if (not_numeric) SSL_set_tlsext_host_name(tls_->native_handle(), name.c_str());  // RFC 6066 3: names only
    tls_->set_verify_mode(asio::ssl::verify_peer);
    tls_->set_verify_callback(asio::ssl::host_name_verification(name));
    const auto [untrusted] =
        co_await tls_->async_handshake(asio::ssl::stream_base::client, asio::as_tuple(asio::deferred));
    if (untrusted) fail(untrusted, "TLS");
  }
  deadline_.clear();
}

std::int64_t Connection::certificate_expiry() const {
  const X509* const shown = tls_ ? SSL_get0_peer_certificate(tls_->native_handle()) : nullptr;
  std::tm end{};
  if (!shown || ASN1_TIME_to_tm(X509_get0_notAfter(shown), &end) != 1) return 0;
  return ::timegm(&end);
}

bool Connection::still_open() {
  // Also for TLS: any octet on an idle connection means that it is ending.
  return look_at_peer(socket_.native_handle()) == Peer::quiet;
}

awaitable<void> Connection::send(const Outgoing& request, Clock::duration answer_time) {
  reader_.next_message();
  answer_time_ = answer_time;
  wrote_ = false;
  deadline_.set(answer_time);
  co_await write(request);
  deadline_.set(answer_time);
  co_await read_head(request.head_only);
}

awaitable<error_code> Connection::write_all(std::span<const asio::const_buffer> buffers) {
  if (tls_) {
    const auto [error, octets] = co_await asio::async_write(*tls_, buffers, asio::as_tuple(asio::deferred));
    co_return error;
  }
  const auto [error, octets] = co_await asio::async_write(socket_, buffers, asio::as_tuple(asio::deferred));
  co_return error;
}

awaitable<void> Connection::write(const Outgoing& request) {
  const std::array<asio::const_buffer, 2> parts{asio::buffer(request.head), asio::buffer(request.body)};
  wrote_ = true;  // octets of a broken write may have been read: only a connection that never opened sent nothing
  // Ignores the error: a server that refuses a body may answer and close while this side still writes.
  const error_code error = co_await write_all(std::span(parts).first(request.body.empty() ? 1 : 2));
  if (request.source && !error) co_await write_source(request);
}

// Pauses the deadline while the source works. The head was sent, so the server waits with its longer body timeout.
awaitable<void> Connection::write_source(const Outgoing& request) {
  for (;;) {
    deadline_.clear();
    const auto piece = co_await request.source->next();
    deadline_.set(answer_time_);
    char size[20];
    std::size_t size_length = 0;
    if (request.chunked) {
      auto* end = std::to_chars(size, size + 16, piece.size(), 16).ptr;
      *end++ = '\r';
      *end++ = '\n';
      size_length = static_cast<std::size_t>(end - size);
    }
    const std::array<asio::const_buffer, 3> parts{asio::buffer(size, size_length),
                                                  asio::buffer(piece.data(), piece.size()),
                                                  request.chunked ? asio::buffer("\r\n", 2) : asio::const_buffer()};
    const error_code error = co_await write_all(parts);
    if (error || piece.empty()) co_return;
  }
}

awaitable<error_code> Connection::read_more() {
  const auto space = reader_.space();
  const auto into = asio::buffer(space.data(), space.size());
  if (tls_) {
    const auto [error, octets] = co_await tls_->async_read_some(into, asio::as_tuple(asio::deferred));
    reader_.commit(octets);
    co_return error;
  }
  const auto [error, octets] = co_await socket_.async_read_some(into, asio::as_tuple(asio::deferred));
  reader_.commit(octets);
  co_return error;
}

awaitable<void> Connection::read_head(bool head_only) {
  if (head_only) reader_.expect_no_body();
  for (;;) {
    switch (reader_.step()) {
      case Step::head:
        if (reader_.head().status >= 200) {
          deadline_.clear();  // the caller may take its time to read the body
          co_return;
        }
        reader_.next_message();  // 100 Continue and other interim responses
        if (head_only) reader_.expect_no_body();
        continue;
      case Step::fault:
        throw Unreachable(Unreachable::Why::bad_answer, "the answer's head is not HTTP/1.1", false);
      default:
        break;
    }
    const error_code error = co_await read_more();
    if (error) fail(error, "waiting for the answer");
  }
}

awaitable<std::string_view> Connection::next() {
  for (;;) {
    switch (reader_.step()) {
      case Step::body:
        deadline_.clear();
        co_return reader_.piece();
      case Step::done:
        deadline_.clear();
        co_return std::string_view{};
      case Step::fault:
        throw Unreachable(Unreachable::Why::bad_answer, "the answer's body is broken", false);
      default:
        break;
    }
    deadline_.set(answer_time_);
    const error_code error = co_await read_more();
    if (error == asio::error::eof) {
      deadline_.clear();
      if (reader_.end_of_stream() == Step::done) co_return std::string_view{};
    }
    if (error) fail(error, "reading the answer");
  }
}

}  // namespace parley::http
