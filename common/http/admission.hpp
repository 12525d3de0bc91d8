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

// How many requests are under way to a service at once, who waits for a place, and how many may be sent a second time.
// Whose requests have many places must leave others some (async::Shares), and those who wait take turns.
class Admission {
 public:
  Admission(boost::asio::io_context& context, std::size_t places, std::size_t queue, std::chrono::milliseconds time);

  // Whose a request is: an organization, or a network of callers that are nobody's; "" is nobody, whom no share bounds.
  using Owner = std::size_t;
  static Owner owner_of(std::string_view name) { return name.empty() ? Owner{} : std::hash<std::string_view>{}(name); }

  // Takes a place; false: there is none, nor will there be one soon.
  awaitable<bool> enter(Owner owner);
  // Gives it back.
  void leave(Owner owner);

  // A request came: a part of a second attempt more may be made.
  void add_to_budget(Clock::time_point now);
  // Takes a second attempt from the budget; false: it is used up.
  bool may_retry();

  struct Stats {
    std::size_t in_flight = 0, queued = 0;
    // Since the start:
    std::uint64_t retries = 0, retries_denied = 0;
    std::uint64_t queue_full = 0, late = 0;  // refused: nobody more could wait, or waited in vain
  };
  Stats stats() const;

 private:
  // In the queue for as long as it lives.
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
  double budget_;  // second attempts that may be made now
  Clock::time_point budget_at_ = Clock::now();
};

// A place that was taken, for as long as this lives.
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
