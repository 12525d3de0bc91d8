#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <string>

#include "common/http/problem.hpp"

namespace parley::organizations::people {

using boost::asio::awaitable;

// Hashes passwords with Argon2id (RFC 9106): 19 MiB, two passes, one lane. That is meant to take long, some 30 ms, so
// it is done by a few threads of its own, beside the loop; whoever would wait too long for one of them is turned away.
class Passwords {
 public:
  struct Limits {
    std::size_t threads = 2;
    std::size_t waiting = 32;  // hashes asked for and not begun
  };

  Passwords(boost::asio::io_context& context, Limits limits);
  ~Passwords();  // waits for the hashes that were begun
  Passwords(const Passwords&) = delete;
  Passwords& operator=(const Passwords&) = delete;

  // The text to be stored: salt, cost and hash. A Problem 503 when too many wait.
  awaitable<std::string> hash(std::string password);
  // Whether that is the password. Takes as long where `stored` is nullopt (nobody, or somebody without a password),
  // when it is not. A Problem 503 when too many wait.
  awaitable<bool> verify(std::optional<std::string> stored, std::string password);

  // The same Problem, before anything is done that cannot be taken back.
  void require_room() const;

 private:
  struct Job;
  awaitable<void> run(std::shared_ptr<Job> job);

  boost::asio::io_context& context_;
  Limits limits_;
  std::size_t in_work_ = 0;
  boost::asio::thread_pool threads_;
};

// Adds a fault for what is no e-mail address, as far as can be told without writing to it: at most 254 characters
// without spaces, with an @ in their midst.
void check_email(http::Faults& faults, std::string_view pointer, std::string_view email);
// Adds a fault for what is no password to be set: 8 to 256 characters.
void check_new_password(http::Faults& faults, std::string_view pointer, std::string_view password);
// Adds a fault for what cannot be anybody's password.
void check_password(http::Faults& faults, std::string_view pointer, std::string_view password);

}  // namespace parley::organizations::people
