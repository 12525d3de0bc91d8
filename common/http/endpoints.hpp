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

enum class Circuit {
  closed,  // all endpoints are usable
  partly,  // an endpoint is ejected, or has not answered since its ejection
  open     // all endpoints are ejected, or no address is known
};

struct Endpoint {
  Endpoint(boost::asio::ip::tcp::endpoint address_, std::string name_);
  Endpoint(Endpoint&&) noexcept;
  Endpoint& operator=(Endpoint&&) noexcept;
  ~Endpoint();
  boost::asio::ip::tcp::endpoint address;
  std::string name;  // the host name that TLS verifies
  bool resolved = true;
  std::size_t outstanding = 0;      // exchanges, until the end of their responses
  std::size_t asked = 0;            // exchanges still waiting for the response's head
  unsigned failures = 0;            // in a row: without a response
  unsigned refusals = 0, good = 0;  // in a row: responses 502 to 504, and all others
  Clock::time_point ejected_until{};
  bool on_trial = false;  // ejected and not answered since: the next failure ejects it again
  std::vector<std::unique_ptr<Connection>> idle;
};

// The endpoints of a service: names resolved periodically, the less busy of two random ones chosen, failing ones
// ejected for a while. An endpoint keeps its number while exchanges are outstanding there.
class Endpoints {
 public:
  // Resolves on the executor `names`, where lookups wait for each other. `unasked`: resolves without requests too.
  Endpoints(boost::asio::io_context& context, boost::asio::any_io_executor names, const std::vector<Base>& bases,
            std::chrono::milliseconds first_look_up, bool unasked);
  ~Endpoints();
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  // Starts resolving again when due, since replicas come and go; does not block.
  void refresh();
  // True while names are being resolved and no recent address is known: then call wait().
  bool must_wait() const;
  bool looking_up() const { return looking_up_; }
  // Waits for the name servers, at most `first_look_up`, or half a second if old addresses are known.
  awaitable<void> wait();
  // Returns nullopt when no address is known. After `not_this` failed it prefers another one, at best one that has
  // answered.
  std::optional<std::size_t> choose(std::optional<std::size_t> not_this);
  Endpoint& operator[](std::size_t number) { return endpoints_[number]; }

  void answered(std::size_t number, unsigned status);
  // Records a failure, and resolves the names again soon: the process may have been replaced.
  void failed(std::size_t number);
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
    std::vector<std::pair<boost::asio::ip::tcp::endpoint, std::string>> addresses;  // each with its host name
    std::vector<std::string> unanswered;                                            // host names without an answer
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
  boost::asio::any_io_executor executor_;  // resolves the names
  std::vector<Name> names_;
  const std::chrono::milliseconds first_look_up_;
  const bool unasked_;
  std::deque<Endpoint> endpoints_;                // an element is reused only when nothing is outstanding there
  std::vector<std::size_t> good_, others_, all_;  // scratch space of choose(), kept to avoid allocations
  Clock::time_point looked_up_{}, look_up_at_{};  // the last answer; the next query, never for literal addresses
  bool looking_up_ = false;
  boost::asio::steady_timer known_;    // see wait()
  boost::asio::steady_timer unknown_;  // see look_up_unasked()
  std::shared_ptr<void> alive_ = std::make_shared<bool>();
};

}  // namespace parley::http
