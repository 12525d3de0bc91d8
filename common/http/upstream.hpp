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
  std::string url;  // http(s)://host[:port], several with commas between them
  std::chrono::milliseconds connect_time{1000};
  std::chrono::milliseconds answer_time{10'000};  // from sending to the answer's head, and between its pieces
  std::chrono::milliseconds idle_time{55'000};    // shorter than the servers' own
  std::chrono::milliseconds queue_time{200};
  std::chrono::milliseconds first_look_up{3000};  // a request waits so long where no address is known
  bool look_up_unasked = true;                    // where none is known, names are asked for without a request too
  std::size_t in_flight = 256;                    // requests at once; more wait in a queue as long as this
  std::size_t queue = 256;
  std::size_t idle = 64;                  // connections kept for an endpoint
  std::uint64_t answer_limit = 64 << 20;  // octets of a body
  // Octets of each connection's buffer: most answers whole, as each piece would cost their reader a write of its own.
  std::size_t read_buffer = 32 << 10;
  std::string tls_ca_file;  // "" is the system's store
  // Not 0: what was given up on must not arrive later. A closed connection takes back what it has not delivered
  // (SO_LINGER of 0), also when the process is killed, and one whose octets nobody acknowledges for so long ends
  // (TCP_USER_TIMEOUT, RFC 5482).
  std::chrono::milliseconds abort_time{0};
  // What asks name servers, one after the other: the loop's own unless there is another, as for names that strangers
  // gave, behind which our own must not wait. It outlives this.
  boost::asio::any_io_executor names{};
  // Which addresses may be connected to, whatever name led there: for URLs that strangers gave. None: all.
  std::function<bool(const boost::asio::ip::address&)> may_call{};
};

// What to send: a whole head, ending in its blank line, and a body: in memory, or a source framed as the head says,
// which is waited for after the head was sent.
struct Outgoing {
  std::string_view head;
  std::string_view body;
  BodySource* source = nullptr;
  bool chunked = false;  // how `source` is framed
  bool replayable =
      false;  // may be sent again when a connection broke before the answer: it changes nothing, or is idempotent
  bool head_only = false;                    // HEAD: the answer has no body
  std::chrono::milliseconds answer_time{0};  // 0: the upstream's own
  std::string_view owner{};                  // whose it is, who has a share of the places: see Admission; "": nobody's
};

// An answer under way: the head is there, the body is read from it. Its end gives the connection back.
class Exchange final : public BodySource {
 public:
  Exchange(Upstream& upstream, std::unique_ptr<Connection> connection, std::size_t endpoint, Admission::Owner owner);
  ~Exchange() override;

  unsigned status() const;
  std::span<const Field> fields() const;
  std::optional<std::uint64_t> content_length() const;
  bool has_body() const;
  awaitable<std::string_view> next() override;
  // Nobody wants the rest: who waits in next() gets an Unreachable.
  void abandon();

 private:
  Upstream& upstream_;
  std::unique_ptr<Connection> connection_;
  std::size_t endpoint_;
  Admission::Owner owner_;
};

struct UpstreamStats {
  std::size_t in_flight = 0, queued = 0, idle = 0, endpoints = 0, ejected = 0;
  // Since the start:
  std::uint64_t retries = 0;
  std::uint64_t retries_denied = 0;        // for want of budget
  std::uint64_t queue_full = 0, late = 0;  // refused: nobody more could wait, or waited in vain
  Circuit circuit = Circuit::closed;
  std::int64_t certificate_expiry = 0;  // seconds since 1970, of the certificate last shown; 0: none was
};

// One request: what became of it, and how long its answer's head took, waits and a second attempt included.
struct UpstreamReport {
  std::optional<Unreachable::Why> failure;  // none: it was answered, with whatever status
  double seconds;
};

// One service as its callers see it: its endpoints, connections to them that are kept alive, and no more requests at
// once than it bears. Outlives its exchanges: see Loop::end.
class Upstream {
 public:
  Upstream(boost::asio::io_context& context, DeadlineSweeper& wheel, UpstreamSettings settings);
  ~Upstream();

  // Sends a request and reads the head of its answer. Throws Unreachable.
  awaitable<std::unique_ptr<Exchange>> exchange(Outgoing request);

  UpstreamStats stats() const;
  bool is_tls() const { return tls_; }
  // Called at the end of every exchange(). Must not throw.
  void observe(std::function<void(const UpstreamReport&)> observer) { observer_ = std::move(observer); }
  void close();
  // The Host field's value for requests to it.
  const std::string& host() const { return host_; }
  // What stands behind the host in the URL, without a slash at its end: "" or "/v20.0".
  const std::string& base_path() const { return base_path_; }

 private:
  friend class Exchange;

  awaitable<bool> know_address();  // false: too many wait for that
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
  std::size_t unaddressed_ = 0;            // requests that wait for the first address
  std::uint64_t unaddressed_refused_ = 0;  // as too many did
  std::int64_t certificate_expiry_ = 0;
  std::function<void(const UpstreamReport&)> observer_;
};

}  // namespace parley::http
