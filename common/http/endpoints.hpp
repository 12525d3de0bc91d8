#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/http/deadline.hpp"
#include "common/http/upstream_url.hpp"

namespace parley::http {

using boost::asio::awaitable;

class Connection;

// Whether requests to a service can be hoped to be answered.
enum class Circuit {
  closed,  // all is well
  partly,  // an endpoint is left alone, or has been and did not answer yet
  open     // all are left alone, or none is known
};

struct Endpoint {
  Endpoint(boost::asio::ip::tcp::endpoint address_, std::string name_);
  Endpoint(Endpoint&&) noexcept;
  Endpoint& operator=(Endpoint&&) noexcept;
  ~Endpoint();
  boost::asio::ip::tcp::endpoint address;
  std::string name;  // host that TLS verifies
  bool resolved = true;
  std::size_t outstanding = 0;      // exchanges, to the end of their answers
  std::size_t asked = 0;            // of those: whose answer's head is waited for
  unsigned failures = 0;            // in a row: no answer
  unsigned refusals = 0, good = 0;  // answers in a row: 502, 503 or 504, and all others
  Clock::time_point ejected_until{};
  bool on_trial = false;  // was ejected, and has not answered since: the next failure ejects it again
  std::vector<std::unique_ptr<Connection>> idle;
};

// The processes that a service is made of: found by name again and again, the less busy of two chosen, failing ones
// left alone for a while. Each is known by its number, which is its own for as long as something is outstanding there.
class Endpoints {
 public:
  // Names are asked for by `names`, whose other work must not wait for name servers; `unasked` also when there was no
  // request, for as long as no address is known.
  Endpoints(boost::asio::io_context& context, boost::asio::any_io_executor names, const std::vector<Base>& bases,
            std::chrono::milliseconds first_look_up, bool unasked);
  ~Endpoints();
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  // Asks for the names again when it is time to, beside the requests: replicas come and go.
  void refresh();
  // The names are being asked for, and no address is known yet, or none that was heard of lately: see wait().
  bool must_wait() const;
  bool looking_up() const { return looking_up_; }
  // Until there is an answer, or its time has passed in vain: `first_look_up`, or half a second where there are old
  // addresses.
  awaitable<void> wait();
  // The one to be asked; none: no address is known. After `not_this` failed another one if there is one, and of those
  // one that has answered.
  std::optional<std::size_t> choose(std::optional<std::size_t> not_this);
  Endpoint& operator[](std::size_t number) { return endpoints_[number]; }

  // An answer came from it.
  void answered(std::size_t number, unsigned status);
  // There was none. The names are soon asked for again: it may be gone, and another there in its place.
  void failed(std::size_t number);
  // Ends the connections that are kept.
  void close_idle();

  struct Stats {
    std::size_t idle = 0, endpoints = 0, ejected = 0;
    Circuit circuit = Circuit::closed;
  };
  Stats stats() const;

 private:
  struct Name {
    std::string host, port;
  };
  struct Found {
    std::vector<std::pair<boost::asio::ip::tcp::endpoint, std::string>> addresses;  // each with its name
    std::vector<std::string> unanswered;                                            // names
  };

  void use_numeric_names();
  static awaitable<Found> look_up(boost::asio::any_io_executor executor, std::vector<Name> names);
  void take(const Found& found);
  bool any_is_known() const;
  void look_up_unasked();
  bool is_good(const Endpoint& endpoint, Clock::time_point now) const;
  bool may_do_without(const Endpoint& endpoint) const;
  void eject(Endpoint& endpoint);
  Circuit circuit_of(const Stats& stats) const;

  boost::asio::io_context& context_;
  boost::asio::any_io_executor executor_;  // that names are asked for by
  std::vector<Name> names_;
  const std::chrono::milliseconds first_look_up_;
  const bool unasked_;
  std::deque<Endpoint> endpoints_;                // a place is only used again when nothing is outstanding there
  std::vector<std::size_t> good_, others_, all_;  // choose()'s, kept so that it takes no memory
  Clock::time_point looked_up_{}, look_up_at_{};  // the last answer; the next question, which addresses never need
  bool looking_up_ = false;
  boost::asio::steady_timer known_;    // see wait()
  boost::asio::steady_timer unknown_;  // see look_up_unasked()
  std::shared_ptr<void> alive_ = std::make_shared<bool>();
};

}  // namespace parley::http
