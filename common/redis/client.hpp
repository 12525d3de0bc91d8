#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/redis/breaker.hpp"
#include "common/redis/reply.hpp"

namespace parley::redis {

using boost::asio::awaitable;

struct Command;

struct Settings {
  std::string url;                         // see parse_url()
  std::string ca_file{};                   // with TLS: the authorities, in PEM; "" are the system's
  std::chrono::milliseconds deadline{50};  // of a command for which none is given
  std::size_t max_outstanding = 10'000;    // commands on the wire, timed out ones included until their reply came
  unsigned breaker_failures = 5;           // on end, before commands are refused at once
  std::chrono::milliseconds breaker_pause{1'000};
  std::chrono::milliseconds connect_deadline{1'000};  // for resolving, connecting, TLS and greeting together
  std::chrono::milliseconds sentinel_deadline{300};   // for asking one sentinel
  std::chrono::milliseconds min_backoff{50};
  std::chrono::milliseconds max_backoff{1'000};
  std::chrono::milliseconds hung_after{1'000};  // a reply so much past its command's deadline ends the connection
};

// Since the client was made, but for `up`, `breaker` and `outstanding`, which are of now.
struct Stats {
  bool up = false;  // connected, and Redis has answered the greeting
  Breaker::State breaker = Breaker::State::closed;
  std::size_t outstanding = 0;
  unsigned long long commands = 0;  // sent
  unsigned long long refused = 0;   // not sent: away, breaker open, or too many outstanding
  unsigned long long timeouts = 0;
  unsigned long long late = 0;    // replies that came after their timeout and were dropped
  unsigned long long errors = 0;  // error replies
  unsigned long long lost = 0;    // gone with their connection
  unsigned long long connects = 0;
  unsigned long long breaker_openings = 0;
  unsigned long long searches = 0;  // for the master, at the sentinels
  std::string last_fault;           // why the connection last ended or could not be made; never holds the password
};

// A command that was answered, or not in time: how long that took.
using Observer = std::function<void(double seconds)>;

// A command under way. It goes on whether or not this is kept; dropping it drops the reply.
class Pending {
 public:
  Pending() = default;  // of a command that was not sent
  // The reply, waited for if need be. Once.
  awaitable<Reply> get();

 private:
  friend class Client;
  explicit Pending(std::shared_ptr<Command> command) : command_(std::move(command)) {}

  std::shared_ptr<Command> command_;
};

// One connection to a Redis, shared by all coroutines of a thread; commands of many share a write. It connects anew by
// itself, for ever. With sentinels it asks them where the master is, before each connection, and goes on only with one
// that says itself that it is a master. It leaves one that answers READONLY, MASTERDOWN or LOADING, as the name may
// lead to another by now. Redis being away, hung or full never throws: it is a Reply of kind unavailable, timeout or
// error, within the deadline. With TLS the certificate must be for the URL's host, of a master for the name or address
// that the sentinels tell. All of it runs on the executor given, whose context must outlive the client and have one
// thread.
class Client {
 public:
  // Throws std::invalid_argument on a bad URL or file of authorities. Does not connect yet.
  Client(boost::asio::any_io_executor executor, Settings settings);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Begins to connect. Until that is done (some 2 ms), commands are refused as unavailable.
  void open();
  // Ends the connection; what is outstanding ends as unavailable. Nothing is left running.
  void close();

  // Sends a command now, before this returns, so that other work goes on meanwhile. The words are copied. Deadlines are
  // looked at every 5 ms. No SUBSCRIBE, MONITOR or blocking commands: the connection is shared.
  Pending start(std::span<const std::string_view> words,
                std::optional<std::chrono::milliseconds> deadline = std::nullopt);
  Pending start(std::initializer_list<std::string_view> words,
                std::optional<std::chrono::milliseconds> deadline = std::nullopt);

  // The same, awaited; the command is sent when this is called, not when it is awaited.
  awaitable<Reply> command(std::span<const std::string_view> words,
                           std::optional<std::chrono::milliseconds> deadline = std::nullopt);
  awaitable<Reply> command(std::initializer_list<std::string_view> words,
                           std::optional<std::chrono::milliseconds> deadline = std::nullopt);

  bool up() const;
  Stats stats() const;
  // Called for every command that was sent and whose connection did not go. Must not throw, nor call the client.
  void observe(Observer observer);
  boost::asio::any_io_executor executor() const;

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace parley::redis
