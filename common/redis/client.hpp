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
  std::string ca_file{};                   // with TLS: the trusted authorities, in PEM; "": the system's
  std::chrono::milliseconds deadline{50};  // default deadline of a command
  std::size_t max_outstanding = 10'000;    // commands on the wire, including timed-out ones until their reply arrives
  unsigned breaker_failures = 5;           // consecutive failures that open the breaker
  std::chrono::milliseconds breaker_pause{1'000};
  std::chrono::milliseconds connect_deadline{1'000};  // for resolving, connecting, TLS and greeting together
  std::chrono::milliseconds sentinel_deadline{300};   // for one sentinel
  std::chrono::milliseconds min_backoff{50};
  std::chrono::milliseconds max_backoff{1'000};
  std::chrono::milliseconds hung_after{1'000};  // a reply this much past its command's deadline closes the connection
};

// Totals since construction, except `up`, `breaker` and `outstanding`, which are current.
struct Stats {
  bool up = false;  // connected and greeted
  Breaker::State breaker = Breaker::State::closed;
  std::size_t outstanding = 0;
  unsigned long long commands = 0;  // sent
  unsigned long long refused = 0;   // not sent: not connected, breaker open, or too many outstanding
  unsigned long long timeouts = 0;
  unsigned long long late = 0;    // replies dropped because they came after the timeout
  unsigned long long errors = 0;  // error replies
  unsigned long long lost = 0;    // lost with their connection
  unsigned long long connects = 0;
  unsigned long long breaker_openings = 0;
  unsigned long long searches = 0;  // queries to sentinels for the master
  std::string last_fault;           // why the connection last ended or failed; never holds the password
};

// The time to the reply or the timeout.
using Observer = std::function<void(double seconds)>;

// A command in flight. Destroying this drops the reply, not the command.
class Pending {
 public:
  Pending() = default;  // a command that was not sent
  // Call once.
  awaitable<Reply> get();

 private:
  friend class Client;
  explicit Pending(std::shared_ptr<Command> command) : command_(std::move(command)) {}

  std::shared_ptr<Command> command_;
};

// One connection to Redis, shared by all coroutines of a thread; concurrent commands share a write. Reconnects for
// ever. With sentinels it asks for the master before each connect and requires a ROLE of master. Leaves a server that
// answers READONLY, MASTERDOWN or LOADING. Redis being down, hung or full never throws: it yields a Reply of kind
// unavailable, timeout or error within the deadline. The TLS certificate must match the URL's host, or the master's
// name or address as told by the sentinels. The executor's context must outlive the client and have one thread.
class Client {
 public:
  // Throws std::invalid_argument for a bad URL or CA file. Does not connect yet.
  Client(boost::asio::any_io_executor executor, Settings settings);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Begins to connect. Until connected (about 2 ms), commands are refused as unavailable.
  void open();
  // Closes the connection; outstanding commands end as unavailable. Leaves nothing running.
  void close();

  // Sends before returning and copies the words. Deadlines are checked every 5 ms. No SUBSCRIBE, MONITOR or blocking
  // commands: the connection is shared.
  Pending start(std::span<const std::string_view> words,
                std::optional<std::chrono::milliseconds> deadline = std::nullopt);
  Pending start(std::initializer_list<std::string_view> words,
                std::optional<std::chrono::milliseconds> deadline = std::nullopt);

  // start() and get(); the call itself sends the command, not the co_await.
  awaitable<Reply> command(std::span<const std::string_view> words,
                           std::optional<std::chrono::milliseconds> deadline = std::nullopt);
  awaitable<Reply> command(std::initializer_list<std::string_view> words,
                           std::optional<std::chrono::milliseconds> deadline = std::nullopt);

  bool up() const;
  Stats stats() const;
  // Called for every sent command not lost with its connection. Must not throw nor call the client.
  void observe(Observer observer);
  boost::asio::any_io_executor executor() const;

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace parley::redis
