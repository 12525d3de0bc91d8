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
  // Paths of POST requests whose bodies may have any length and are read piece by piece; a path that ends in a slash
  // covers all below it. Such a client may pause for body_time in all; each KiB received gives a second back.
  std::vector<std::string> streamed{};
  std::uint64_t gathered = 0;  // octets of all bodies gathered in memory: see Request::body; 0: any
  std::uint64_t answers = 0;   // octets of all long responses in memory: see AnswerRoom; 0: any
  std::size_t connections = 10'000;
  // Connections per IPv4 address or IPv6 /64, four times as many per /48. Beyond it an idle one of the address makes
  // room, or the new one is refused; beyond `connections` see Server::make_room. 0 (behind a gateway): neither.
  std::size_t connections_an_address = 0;
  std::function<bool(std::string_view address)> is_exempt{};  // from that bound: proxies, which carry many clients
  // Octets that all connections hold beyond 4 KiB each: long heads, bodies in transit, whole responses; 0: any.
  std::uint64_t read_buffers = 0;
  std::chrono::milliseconds head_time{10'000};  // from a message's first octet, or from the connection's opening
  std::chrono::milliseconds body_time{30'000};
  std::chrono::milliseconds idle_time{65'000};  // longer than pooling clients keep idle connections
  std::chrono::milliseconds write_time{30'000};
};

// Reasons in ServerStats::faults; see also MessageReader.
inline constexpr std::array kFaultReasons{"bad_syntax",     "folded_line",     "head_too_large", "too_many_fields",
                                          "bad_target",     "target_too_long", "bad_framing",    "bad_chunk",
                                          "body_too_large", "closed",          "timeout"};
inline constexpr const char* kHandlerFault = "handler";  // a handler threw something other than a Problem
inline constexpr const char* kTooManyConnections = "too_many_connections";  // of one network: closed at once
inline constexpr const char* kNoRoom = "no_room";                           // no memory for the octets read

struct ServerStats {
  std::size_t connections = 0;  // open now
  std::size_t serving = 0;      // requests being handled now
  std::uint64_t accepted = 0;
  std::uint64_t made_room = 0;  // connections evicted for others while waiting for their clients
  std::uint64_t buffered = 0;   // octets held now: see ServerLimits::read_buffers
  BodyRoom bodies;
  AnswerRoom answers;
  std::map<std::string, std::uint64_t, std::less<>> faults;  // unreadable messages, by reason
};

// `fault` makes the response to an unreadable message, and the 500 for a handler that threw no Problem. `answered`, if
// set, receives the octets of both bodies of each handled request; it must not throw.
struct ServerHandler {
  std::function<awaitable<Response>(Request&)> serve;
  std::function<Response(unsigned status, std::string_view reason, std::string_view remote_address)> fault;
  std::function<void(std::uint64_t received, std::uint64_t sent)> answered{};
};

// A single-threaded HTTP/1.1 server. Must outlive its connections: before its destruction end the loop (Loop::end), or
// call close_all() and run the loop until none is open.
class Server {
 public:
  // Binds at once; throws boost::system::system_error when the address is taken.
  Server(boost::asio::io_context& context, DeadlineSweeper& wheel, const boost::asio::ip::tcp::endpoint& endpoint,
         ServerLimits limits, ServerHandler handler);
  ~Server();

  void start();
  // Makes every response close its connection; still accepts new ones, as clients learn late that this process leaves.
  void start_draining() { draining_ = true; }
  // Stops accepting and closes idle connections; `stats().connections` falls to 0 once all responses are written.
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
  Session* sessions_ = nullptr;  // intrusive list of all open sessions
  Networks networks_;
  async::Event closed_;  // pulsed when the last connection closes
};

}  // namespace parley::http
