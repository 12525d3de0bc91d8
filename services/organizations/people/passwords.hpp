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

namespace parley::organizations::people {

using boost::asio::awaitable;

// Hashes passwords with Argon2id (RFC 9106): 19 MiB, two passes, one lane. That is meant to take long, some 30 ms, so
// it is done by a few threads of its own, beside the loop, and takes a place. Networks share the places and take turns
// waiting for them (http::Admission), so that none has so many that another waits long; strangers, who may come from
// any number of networks, have none of those of who is known.
class Passwords {
 public:
  struct Limits {
    std::size_t threads = 2;
    std::size_t waiting = 128;  // for a place: strangers, and as many who are known
    std::chrono::milliseconds wait{2'000};
  };
  // Known is who signed in to the account from this network before, or shows a credential or a token.
  enum class Caller { stranger, known };

  // A place, for as long as it is kept: by who hashes, too, when nobody waits for that any more.
  using Slot = std::shared_ptr<http::Admitted>;

  Passwords(boost::asio::io_context& context, Limits limits);
  ~Passwords();  // waits for the hashes that were begun
  Passwords(const Passwords&) = delete;
  Passwords& operator=(const Passwords&) = delete;

  // Waits for a place: to be taken before anything is done that cannot be taken back. A Problem 503 when too many wait,
  // or it takes too long.
  awaitable<Slot> enter(std::string address, Caller caller);

  // The text to be stored: salt, cost and hash.
  awaitable<std::string> hash(Slot place, std::string password);
  // Whether that is the password. Takes as long where `stored` is nullopt (nobody, or somebody without a password),
  // when it is not.
  awaitable<bool> verify(Slot place, std::optional<std::string> stored, std::string password);

  // Of places: who has one, who waits for one, and who got none.
  http::Admission::Stats stats(Caller caller) const;

 private:
  struct Job;
  awaitable<void> run(std::shared_ptr<Job> job);

  boost::asio::io_context& context_;
  const std::shared_ptr<http::Admission> strangers_, known_;
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
