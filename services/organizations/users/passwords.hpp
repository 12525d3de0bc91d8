#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "common/http/admission.hpp"
#include "common/http/problem.hpp"

namespace parley::organizations::users {

using boost::asio::awaitable;

// Hashes passwords with Argon2id (RFC 9106): 19 MiB, two passes, one lane, about 30 ms, on its own threads. Each hash
// needs a slot, which networks share fairly (http::Admission). Strangers have slots apart from known callers.
class Passwords {
 public:
  struct Limits {
    std::size_t threads = 2;
    std::size_t waiting = 128;  // waiters for a slot, for strangers and known callers each
    std::chrono::milliseconds wait{2'000};
  };
  // `known`: signed in to the account from this network before, or presents a credential or token.
  enum class Caller { stranger, known };

  // Released with its last reference; a running hash keeps its slot even if the caller is gone.
  using Slot = std::shared_ptr<http::Admitted>;

  Passwords(boost::asio::io_context& context, Limits limits);
  ~Passwords();  // waits for hashes under way
  Passwords(const Passwords&) = delete;
  Passwords& operator=(const Passwords&) = delete;

  // Waits for a slot. Call it before anything irreversible. Throws a Problem 429 if the queue is full or on timeout.
  awaitable<Slot> enter(std::string address, Caller caller);

  // Returns the text to store: salt, cost and hash.
  awaitable<std::string> hash(Slot place, std::string password);
  // False, after an equally long time, if `stored` is nullopt (no account or no password).
  awaitable<bool> verify(Slot place, std::optional<std::string> stored, std::string password);

  // Slots in use, waiters and refusals.
  http::Admission::Stats stats(Caller caller) const;

 private:
  struct Job;
  awaitable<void> run(std::shared_ptr<Job> job);

  boost::asio::io_context& context_;
  const std::shared_ptr<http::Admission> strangers_, known_;
  boost::asio::thread_pool threads_;
};

// Syntax check only: at most 254 characters, no spaces, an @ that is neither first nor last.
void check_email(http::Faults& faults, std::string_view pointer, std::string_view email);
// A password to set: 8 to 256 characters.
void check_new_password(http::Faults& faults, std::string_view pointer, std::string_view password);
// A password to verify: at most 256 characters.
void check_password(http::Faults& faults, std::string_view pointer, std::string_view password);

}  // namespace parley::organizations::users
