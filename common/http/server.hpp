#pragma once
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/async/event.hpp"
#include "common/http/deadline.hpp"
#include "common/http/message.hpp"
#include "common/http/networks.hpp"

namespace parley::http {

struct ServerLimits {
  std::size_t head = 16 * 1024, fields = 64, target = 8 * 1024;  // octets, count, octets
  std::uint64_t body = 1024 * 1024;                              // octets
  // Paths of POST requests whose bodies may have any length: their handlers take them piece by piece, and who sends one
  // may be waited for as long as body_time, of which each KiB gives a second back. One that ends in a slash stands for
  // all below it.
  std::vector<std::string> streamed{};
  std::uint64_t gathered = 0;  // octets of bodies in memory at once, all requests together: see Request::body; 0: any
  std::uint64_t answers = 0;   // octets of long answers in memory at once: see AnswerRoom; 0: any
  std::size_t connections = 10'000;
  // Of an IPv4 address or an IPv6 /64; of a /48 four times as many. Beyond it, and beyond `connections`, who waits for
  // its client longest is closed for a new one: see Server::make_room. 0: no bound, and nobody is closed (behind a
  // gateway all come from few addresses).
  std::size_t connections_an_address = 0;
  std::function<bool(std::string_view address)> is_exempt{};  // from that: proxies, which speak for many
  // Octets of what all connections hold beside the first 4 KiB of each: long heads, bodies on their way, and answers
  // that were made whole (with those that count in `answers`); 0: any
  std::uint64_t read_buffers = 0;
  std::chrono::milliseconds head_time{10'000};  // from a message's first octet, or the connection's opening
  std::chrono::milliseconds body_time{30'000};
  std::chrono::milliseconds idle_time{65'000};  // longer than clients that pool their connections keep them
  std::chrono::milliseconds write_time{30'000};
};

// What a message is not understood for, in ServerStats; see also MessageReader.
inline constexpr std::array kFaultReasons{"bad_syntax",     "folded_line",     "head_too_large", "too_many_fields",
                                          "bad_target",     "target_too_long", "bad_framing",    "bad_chunk",
                                          "body_too_large", "closed",          "timeout"};
inline constexpr const char* kHandlerFault = "handler";                     // a handler threw what is no Problem
inline constexpr const char* kTooManyConnections = "too_many_connections";  // of one network: closed at once
inline constexpr const char* kNoRoom = "no_room";                           // for what was read

// Counted since the start, for metrics.
struct ServerStats {
  std::size_t connections = 0;  // open now
  std::size_t serving = 0;      // requests being handled now
  std::uint64_t accepted = 0;
  std::uint64_t made_room = 0;  // connections that waited for their clients and were closed for others
  std::uint64_t buffered = 0;   // octets: see ServerLimits::read_buffers
  BodyRoom bodies;
  AnswerRoom answers;
  std::map<std::string, std::uint64_t, std::less<>> faults;  // messages that could not be read, by reason
};

// What becomes of requests. `fault` makes the answer to a message that could not be read, and to one (500) whose
// handler threw what is no Problem. `answered`, if there is one, hears how many octets of bodies came and went with
// each request that was handled; it must not throw.
struct ServerHandler {
  std::function<awaitable<Response>(Request&)> serve;
  std::function<Response(unsigned status, std::string_view reason, std::string_view remote_address)> fault;
  std::function<void(std::uint64_t received, std::uint64_t sent)> answered{};
};

// An HTTP/1.1 server of one thread: keep-alive, pipelined requests answered in order, limits, deadlines, drain. It
// outlives its connections: before it goes, the loop is ended (Loop::end), or is turned after close_all() until none is
// open.
class Server {
 public:
  // Binds at once: throws boost::system::system_error when the address is taken.
  Server(boost::asio::io_context& context, DeadlineSweeper& wheel, const boost::asio::ip::tcp::endpoint& endpoint,
         ServerLimits limits, ServerHandler handler);
  ~Server();

  void start();
  // Every answer from now on closes its connection; connections are still accepted, as others learn late that we leave.
  void start_draining() { draining_ = true; }
  // Accepts no more, closes idle connections; `stats().connections` falls to 0 when all answers are out.
  void stop_accepting();
  // False: some connections are still open at the deadline.
  awaitable<bool> wait_until_closed(Clock::time_point deadline);
  void close_all();

  const ServerStats& stats() const { return stats_; }
  boost::asio::ip::tcp::endpoint endpoint() const { return endpoint_; }

 private:
  friend class Session;
  awaitable<void> accept();
  awaitable<bool> next_has_room();
  void accept_waiting();
  void open(boost::asio::ip::tcp::socket socket);
  Network* enter(const std::string& address);
  bool make_room(bool of_buffers, const Session* for_whom = nullptr);
  bool hold(Session& session, std::uint64_t octets);
  void evict(Session& session);
  void leave(Session& session);
  void forget(Session& session);

  boost::asio::io_context& context_;
  DeadlineSweeper& wheel_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::tcp::endpoint endpoint_;
  boost::asio::steady_timer pause_;
  ServerLimits limits_;
  ServerHandler handler_;
  ServerStats stats_;
  bool draining_ = false, stopping_ = false;
  Session* sessions_ = nullptr;  // all that are open, linked
  Networks networks_;
  async::Event closed_;  // pulsed when the last connection closes
};

}  // namespace parley::http
