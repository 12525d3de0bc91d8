#include "common/redis/link.hpp"

#include <hiredis/hiredis.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace parley::redis {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

// Shrinks the buffer after a burst of large commands.
constexpr std::size_t kept_capacity = 1 << 20;

void append_number(std::string& out, char kind, std::size_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.push_back(kind);
  out.append(text, end);
  out.append("\r\n");
}

// https://redis.io/docs/latest/develop/reference/protocol-spec/#sending-commands-to-a-redis-server
void append_command(std::string& out, std::span<const std::string_view> words) {
  append_number(out, '*', words.size());
  for (const auto word : words) {
    append_number(out, '$', word.size());
    out.append(word);
    out.append("\r\n");
  }
}

std::string text_of(const error_code& fault) {
  const bool is_end = fault == asio::error::eof || fault == asio::ssl::error::stream_truncated;
  return is_end ? "Server closed the connection" : fault.message();
}

}  // namespace

Link::Link(asio::any_io_executor executor, Events events) : socket_(executor), events_(std::move(events)) {}

Link::~Link() = default;

void Link::dial(const tcp::endpoint& server, const Tls& tls) {
  socket_.async_connect(server, [self = shared_from_this(), tls](error_code error) {
    if (self->closed_) return;
    if (error) return self->close(text_of(error));
    self->socket_.set_option(tcp::no_delay(true), error);
    tls.context ? self->shake_hands(tls) : self->begin();
  });
}

void Link::shake_hands(const Tls& tls) {
  try {
    tls_ = tls_stream(socket_, *tls.context, tls.name);
  } catch (const std::exception& fault) {
    return close(fault.what());
  }
  tls_->async_handshake(asio::ssl::stream_base::client, [self = shared_from_this()](error_code error) {
    if (self->closed_) return;
    error ? self->close(handshake_fault(*self->tls_, error)) : self->begin();
  });
}

void Link::begin() {
  connected_ = true;
  read();
  events_.connected();
}

// Posts the write, so that all commands of one loop iteration share it.
bool Link::send(std::span<const std::string_view> words) {
  if (!connected_ || closed_) return false;
  append_command(queued_, words);
  ++outstanding_;
  if (std::exchange(writing_, true)) return true;
  asio::post(socket_.get_executor(), [self = shared_from_this()] { self->write(); });
  return true;
}

void Link::write() {
  if (closed_) return;
  leaving_.clear();
  if (leaving_.capacity() > kept_capacity) leaving_.shrink_to_fit();
  writing_ = !queued_.empty();
  if (!writing_) return;
  std::swap(queued_, leaving_);
  auto written = [self = shared_from_this()](error_code error, std::size_t) {
    if (self->closed_) return;
    error ? self->close(text_of(error)) : self->write();
  };
  if (tls_)
    asio::async_write(*tls_, asio::buffer(leaving_), std::move(written));
  else
    asio::async_write(socket_, asio::buffer(leaving_), std::move(written));
}

void Link::read() {
  auto came = [self = shared_from_this()](error_code error, std::size_t octets) {
    if (self->closed_) return;
    if (error) return self->close(text_of(error));
    self->take(octets);
    if (!self->closed_) self->read();
  };
  if (tls_)
    tls_->async_read_some(asio::buffer(came_), std::move(came));
  else
    socket_.async_read_some(asio::buffer(came_), std::move(came));
}

void Link::take(std::size_t octets) {
  reader_.feed({came_.data(), octets});
  while (!closed_ && take_reply()) {
  }
}

// An unsolicited reply closes the link: with the server's text if it is an error, else as a protocol violation.
bool Link::take_reply() {
  const bool is_asked = outstanding_ > 0;
  const auto kind = reader_.kind();
  if (!is_asked && kind != 0 && kind != '-') {
    close("a reply that nothing asked for");
    return false;
  }
  const auto reply = reader_.next();
  if (!reply) {
    if (!reader_.error().empty()) close(reader_.error());
    return false;
  }
  if (!is_asked) {
    close(std::string_view(reply->str, reply->len));
    return false;
  }
  --outstanding_;
  events_.reply(reply.get());
  return true;
}

void Link::close(std::string_view why) {
  if (std::exchange(closed_, true)) return;
  const auto keep = shared_from_this();
  const std::string reason(why);  // a copy, as `why` may point into what is destroyed here
  error_code ignored;
  socket_.close(ignored);
  for (; outstanding_ > 0; --outstanding_) events_.reply(nullptr);
  events_.gone(reason);
}

}  // namespace parley::redis
