#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "common/http/message_reader.hpp"
#include "common/http/upstream.hpp"

namespace parley::http {

// A client's side of one connection, plain or TLS. Its operations end with an error when its deadline passes.
class Connection {
 public:
  using Step = MessageReader<false>::Step;

  // For read_buffer and abort_time see UpstreamSettings.
  Connection(boost::asio::io_context& context, DeadlineSweeper& wheel, std::uint64_t answer_limit,
             std::size_t read_buffer, std::chrono::milliseconds abort_time);
  ~Connection();

  // Opens it, with TLS verified for `name` if there is a context. Throws Unreachable.
  awaitable<void> open(const boost::asio::ip::tcp::endpoint& address, const std::string& name,
                       boost::asio::ssl::context* tls, Clock::duration time);
  // Sends a request and reads the answer's head. Throws Unreachable.
  awaitable<void> send(const Outgoing& request, Clock::duration answer_time);
  // The next piece of the answer's body, empty at its end. Throws Unreachable.
  awaitable<std::string_view> next();

  const Head& head() const { return reader_.head(); }
  bool whole() const { return reader_.done(); }
  // When the certificate that the other side showed ends, in seconds since 1970; 0: it showed none.
  std::int64_t certificate_expiry() const;
  // Another request may follow on it.
  bool reusable() const { return reader_.done() && reader_.head().keep_alive && !reader_.has_octets(); }
  // An idle one that the other side closed, or wrote to unasked, is of no use.
  bool still_open();
  // Whatever is under way on it fails.
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
