#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "common/async/shares.hpp"
#include "common/async/turns.hpp"
#include "common/http/deadline.hpp"

namespace parley::http {

using boost::asio::awaitable;

// Bounds the concurrent requests to a service, its queue and its retries. Owners share the places and wait in turn.
class Admission {
 public:
  Admission(boost::asio::io_context& context, std::size_t places, std::size_t queue, std::chrono::milliseconds time);

  // A hash of an organization, or of a network of anonymous callers; 0 is no owner and not bounded by shares.
  using Owner = std::size_t;
  static Owner owner_of(std::string_view name) { return name.empty() ? Owner{} : std::hash<std::string_view>{}(name); }

  // Takes a place; returns false when none became free in time or the queue is full.
  awaitable<bool> enter(Owner owner);
  void leave(Owner owner);

  // Call for each request; it adds to the retry budget.
  void add_to_budget(Clock::time_point now);
  // Takes a retry from the budget; false: it is used up.
  bool may_retry();

  struct Stats {
    std::size_t in_flight = 0, queued = 0;
    std::uint64_t retries = 0, retries_denied = 0;  // totals since the start, as below
    std::uint64_t queue_full = 0, late = 0;         // refused: queue full, or wait timed out
  };
  Stats stats() const;

 private:
  struct Waiter {
    Waiter(Admission& admission_, Owner owner_);
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    Admission& admission;
    const Owner owner;
    boost::asio::steady_timer timer;
    enum { waiting, admitted, sent_away } state = waiting;
  };

  bool may_wait(Owner owner);

  boost::asio::io_context& context_;
  const std::size_t places_, queue_;
  const std::chrono::milliseconds time_;
  async::Shares<Owner> shares_;
  async::Turns<Owner, Waiter*> waiting_;
  Stats counted_;
  double budget_;  // retries available now
  Clock::time_point budget_at_ = Clock::now();
};

// A place already taken; the destructor gives it back.
class Admitted {
 public:
  Admitted(std::shared_ptr<Admission> admission, Admission::Owner owner)
      : admission_(std::move(admission)), owner_(owner) {}
  ~Admitted() { admission_->leave(owner_); }
  Admitted(const Admitted&) = delete;
  Admitted& operator=(const Admitted&) = delete;

 private:
  const std::shared_ptr<Admission> admission_;
  const Admission::Owner owner_;
};

}  // namespace parley::http
