#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/http/admission.hpp"
#include "common/http/deadline.hpp"
#include "common/http/endpoints.hpp"
#include "common/http/message.hpp"
#include "common/http/unreachable.hpp"
#include "common/http/upstream_url.hpp"

namespace parley::http {

class Connection;
class Upstream;

struct UpstreamSettings {
  std::string url;  // http(s)://host[:port], several separated by commas
  std::chrono::milliseconds connect_time{1000};
  std::chrono::milliseconds answer_time{10'000};  // from sending to the response's head, and between pieces of its body
  std::chrono::milliseconds idle_time{55'000};    // shorter than the servers'
  std::chrono::milliseconds queue_time{200};
  std::chrono::milliseconds first_look_up{3000};  // longest wait of a request when no address is known
  bool look_up_unasked = true;                    // resolve names without a request too while no address is known
  std::size_t in_flight = 256;                    // concurrent requests; further ones are queued
  std::size_t queue = 256;
  std::size_t idle = 64;                  // idle connections kept per endpoint
  std::uint64_t answer_limit = 64 << 20;  // octets of a response body
  // Octets of each connection's buffer. It should hold most responses whole, as each piece costs the reader a write.
  std::size_t read_buffer = 32 << 10;
  std::string tls_ca_file;  // "": the system's store
  // If not 0, a request given up on never arrives later: a close, also by a kill, discards unsent octets (SO_LINGER 0),
  // and unacknowledged octets end the connection after this time (TCP_USER_TIMEOUT, RFC 5482).
  std::chrono::milliseconds abort_time{0};
  // Resolves names one after the other; by default the loop's executor. Outsiders' names need another one, so that ours
  // do not wait behind them. Must outlive the Upstream.
  boost::asio::any_io_executor names{};
  // Filters the addresses that may be connected to, for URLs given by outsiders; empty: all are allowed.
  std::function<bool(const boost::asio::ip::address&)> may_call{};
};

// A whole head with its blank line, and a body in memory or from a source, read after the head was sent.
struct Outgoing {
  std::string_view head;
  std::string_view body;
  BodySource* source = nullptr;
  bool chunked = false;     // the framing of `source`
  bool replayable = false;  // changes nothing or is idempotent: resent when a connection broke before the response
  bool head_only = false;   // HEAD: the response has no body
  std::chrono::milliseconds answer_time{0};  // 0: the upstream's
  std::string_view owner{};                  // charged for a place: see Admission; "": no one
};

// A response whose head has been read. The destructor gives the connection back.
class Exchange final : public BodySource {
 public:
  Exchange(Upstream& upstream, std::unique_ptr<Connection> connection, std::size_t endpoint, Admission::Owner owner);
  ~Exchange() override;

  unsigned status() const;
  std::span<const Field> fields() const;
  std::optional<std::uint64_t> content_length() const;
  bool has_body() const;
  awaitable<std::string_view> next() override;
  // Drops the rest of the response; a pending next() throws Unreachable.
  void abandon();

 private:
  Upstream& upstream_;
  std::unique_ptr<Connection> connection_;
  std::size_t endpoint_;
  Admission::Owner owner_;
};

struct UpstreamStats {
  std::size_t in_flight = 0, queued = 0, idle = 0, endpoints = 0, ejected = 0;
  std::uint64_t retries = 0;               // since the start, as are the next three
  std::uint64_t retries_denied = 0;        // no budget for the retry
  std::uint64_t queue_full = 0, late = 0;  // refused: queue full, or wait timed out
  Circuit circuit = Circuit::closed;
  std::int64_t certificate_expiry = 0;  // Unix time at which the last shown certificate expires; 0: none shown
};

// The outcome of a request, and the time to its response's head, including waits and the retry.
struct UpstreamReport {
  std::optional<Unreachable::Why> failure;  // none: there was a response, of any status
  double seconds;
};

// A client of one service, with bounded concurrency. Must outlive its exchanges: see Loop::end.
class Upstream {
 public:
  Upstream(boost::asio::io_context& context, DeadlineSweeper& wheel, UpstreamSettings settings);
  ~Upstream();

  // Sends a request and reads the response's head. Throws Unreachable.
  awaitable<std::unique_ptr<Exchange>> exchange(Outgoing request);

  UpstreamStats stats() const;
  bool is_tls() const { return tls_; }
  // Called at the end of every exchange(); must not throw.
  void observe(std::function<void(const UpstreamReport&)> observer) { observer_ = std::move(observer); }
  void close();
  const std::string& host() const { return host_; }
  // Without a final slash: "" or "/v20.0".
  const std::string& base_path() const { return base_path_; }

 private:
  friend class Exchange;

  awaitable<bool> know_address();  // false: too many requests wait for an address
  awaitable<std::unique_ptr<Connection>> connect(std::size_t endpoint);
  std::unique_ptr<Connection> take_idle(Endpoint& endpoint);
  awaitable<std::unique_ptr<Exchange>> attempt(const Outgoing& request, std::size_t endpoint, bool fresh);
  void give_back(std::unique_ptr<Connection> connection, std::size_t endpoint, Admission::Owner owner);
  void report(Clock::time_point start, std::optional<Unreachable::Why> failure) const;

  boost::asio::io_context& context_;
  DeadlineSweeper& wheel_;
  UpstreamSettings settings_;
  std::string host_, base_path_;
  bool tls_ = false;
  std::shared_ptr<void> tls_context_;
  Endpoints endpoints_;
  Admission admission_;
  std::size_t unaddressed_ = 0;            // requests waiting for the first address
  std::uint64_t unaddressed_refused_ = 0;  // requests refused because too many waited
  std::int64_t certificate_expiry_ = 0;
  std::function<void(const UpstreamReport&)> observer_;
};

}  // namespace parley::http
