#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/http/deadline.hpp"
#include "common/http/message.hpp"

namespace parley::http {

class Connection;
class Upstream;

// No answer could be had. `sent_nothing` tells that no octet of the request reached the other side for certain.
struct Unreachable : std::runtime_error {
  enum class Why { refused, timeout, reset, overloaded, bad_answer };
  Unreachable(Why why_, std::string text, bool sent_nothing_)
      : std::runtime_error(std::move(text)), why(why_), sent_nothing(sent_nothing_) {}
  Why why;
  bool sent_nothing;
};

// Whether a text is what UpstreamSettings::url must be.
bool is_upstream_url(std::string_view list);

struct UpstreamSettings {
  std::string url;  // http(s)://host[:port], several with commas between them
  std::chrono::milliseconds connect_time{1000};
  std::chrono::milliseconds answer_time{10'000};  // from sending to the answer's head, and between its pieces
  std::chrono::milliseconds idle_time{55'000};    // shorter than the servers' own
  std::chrono::milliseconds queue_time{200};
  std::size_t in_flight = 256;  // requests at once; more wait in a queue as long as this
  std::size_t queue = 256;
  std::size_t idle = 64;                  // connections kept for an endpoint
  std::uint64_t answer_limit = 64 << 20;  // octets of a body
  std::string tls_ca_file;                // "" is the system's store
  // Not 0: what was given up on must not arrive later. A closed connection takes back what it has not delivered
  // (SO_LINGER of 0), also when the process is killed, and one whose octets nobody acknowledges for so long ends
  // (TCP_USER_TIMEOUT, RFC 5482).
  std::chrono::milliseconds abort_time{0};
  // Which addresses may be connected to, whatever name led there: for URLs that strangers gave. None: all.
  std::function<bool(const boost::asio::ip::address&)> may_call{};
};

// What to send: a whole head, ending in its blank line, and a body: in memory, or a source framed as the head says.
struct Outgoing {
  std::string_view head;
  std::string_view body;
  BodySource* source = nullptr;
  bool chunked = false;  // how `source` is framed
  bool replayable =
      false;  // may be sent again when a connection broke before the answer: it changes nothing, or is idempotent
  bool head_only = false;                    // HEAD: the answer has no body
  std::chrono::milliseconds answer_time{0};  // 0: the upstream's own
};

// An answer under way: the head is there, the body is read from it. Its end gives the connection back.
class Exchange final : public BodySource {
 public:
  Exchange(Upstream& upstream, std::unique_ptr<Connection> connection, std::size_t endpoint);
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
};

// Whether requests to it can be hoped to be answered.
enum class Circuit {
  closed,  // all is well
  partly,  // an endpoint is left alone, or has been and did not answer yet
  open     // all are left alone, or none is known
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

// One service as its callers see it: its endpoints found by name again and again, connections kept alive, the less busy
// of two chosen, failing ones left alone for a while, and no more at once than it bears. Outlives its exchanges: see
// Loop::end.
class Upstream {
 public:
  Upstream(boost::asio::io_context& context, DeadlineWheel& wheel, UpstreamSettings settings);
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
  struct Endpoint {
    Endpoint(boost::asio::ip::tcp::endpoint address_, std::string name_);
    Endpoint(Endpoint&&) noexcept;
    Endpoint& operator=(Endpoint&&) noexcept;
    ~Endpoint();
    boost::asio::ip::tcp::endpoint address;
    std::string name;  // host that TLS verifies
    bool resolved = true;
    std::size_t outstanding = 0;
    unsigned failures = 0;  // in a row
    Clock::time_point ejected_until{};
    bool on_trial = false;  // was ejected, and has not answered since: the next failure ejects it again
    std::vector<std::unique_ptr<Connection>> idle;
  };
  struct Name {
    std::string host, port;
  };
  struct Found {
    std::vector<std::pair<boost::asio::ip::tcp::endpoint, std::string>> addresses;  // each with its name
    std::vector<std::string> unanswered;                                            // names
  };
  // In the queue for as long as it lives.
  struct Waiter {
    explicit Waiter(Upstream& upstream_);
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    Upstream& upstream;
    boost::asio::steady_timer timer;
    bool admitted = false;
  };

  void parse_url();
  void use_numeric_names();
  static awaitable<Found> look_up(boost::asio::io_context& context, std::vector<Name> names);
  void refresh();
  void take(const Found& found);
  awaitable<bool> admit();  // false: there is no room
  void leave();
  void report(Clock::time_point start, std::optional<Unreachable::Why> failure) const;
  void add_to_budget(Clock::time_point now);
  bool may_retry();
  Circuit circuit_of(const UpstreamStats& stats) const;
  std::size_t choose(std::size_t not_this);
  std::unique_ptr<Connection> take_idle(Endpoint& endpoint);
  awaitable<std::unique_ptr<Connection>> connect(std::size_t endpoint);
  awaitable<std::unique_ptr<Exchange>> attempt(const Outgoing& request, std::size_t endpoint, bool fresh);
  void give_back(std::unique_ptr<Connection> connection, std::size_t endpoint, bool reusable);
  void failed(std::size_t endpoint);

  boost::asio::io_context& context_;
  DeadlineWheel& wheel_;
  UpstreamSettings settings_;
  std::string host_, base_path_;
  bool tls_ = false;
  std::shared_ptr<void> tls_context_;
  std::vector<Name> names_;
  std::deque<Endpoint> endpoints_;  // an exchange knows its endpoint by number: a place is only reused when idle
  Clock::time_point look_up_at_{};
  bool looking_up_ = false;
  boost::asio::steady_timer known_;  // waited on while no address is known yet
  std::shared_ptr<void> alive_ = std::make_shared<bool>();
  std::deque<Waiter*> waiting_;
  std::size_t in_flight_ = 0;
  UpstreamStats counted_;
  double budget_;  // retries that may be made now
  Clock::time_point budget_at_ = Clock::now();
  std::function<void(const UpstreamReport&)> observer_;
};

}  // namespace parley::http
