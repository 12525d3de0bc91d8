#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "common/http/message_reader.hpp"
#include "common/http/upstream.hpp"

namespace parley::http {

// The client side of one connection, plain or TLS. Operations fail when its deadline passes.
class Connection {
 public:
  using Step = MessageReader<false>::Step;

  Connection(boost::asio::io_context& context, DeadlineSweeper& wheel, std::uint64_t answer_limit,
             std::size_t read_buffer, std::chrono::milliseconds abort_time);
  ~Connection();

  // Connects, with TLS verified for `name` if `tls` is not null. Throws Unreachable.
  awaitable<void> open(const boost::asio::ip::tcp::endpoint& address, const std::string& name,
                       boost::asio::ssl::context* tls, Clock::duration time);
  // Also reads the response's head. Throws Unreachable.
  awaitable<void> send(const Outgoing& request, Clock::duration answer_time);
  // Returns the next piece of the response's body, empty at its end. Throws Unreachable.
  awaitable<std::string_view> next();

  const Head& head() const { return reader_.head(); }
  bool whole() const { return reader_.done(); }
  // Returns the expiry of the server's certificate as Unix time; 0: none was shown.
  std::int64_t certificate_expiry() const;
  bool reusable() const { return reader_.done() && reader_.head().keep_alive && !reader_.has_octets(); }
  // Whether an idle connection is usable: false if the server closed it or wrote unasked.
  bool still_open();
  void close();
  Clock::time_point idle_since;

 private:
  awaitable<void> write(const Outgoing& request);
  awaitable<void> write_source(const Outgoing& request);
  awaitable<boost::system::error_code> write_all(std::span<const boost::asio::const_buffer> buffers);
  awaitable<void> read_head(bool head_only);
  awaitable<boost::system::error_code> read_more();
  void set_aborting();
  [[noreturn]] void fail(boost::system::error_code error, const char* doing);

  using Plain = boost::asio::ip::tcp::socket;
  Plain socket_;
  std::unique_ptr<boost::asio::ssl::stream<Plain&>> tls_;
  ReaderLimits limits_;
  MessageReader<false> reader_;
  Deadline deadline_;
  std::chrono::milliseconds abort_time_;
  Clock::duration answer_time_{};
  bool timed_out_ = false;
  bool wrote_ = false;
};

}  // namespace parley::http
