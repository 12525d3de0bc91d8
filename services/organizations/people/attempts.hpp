#pragma once
#include <boost/asio/awaitable.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/uuid.hpp"
#include "common/pg/pool.hpp"

namespace parley::organizations::people {

using boost::asio::awaitable;

// How many attempts that fail are free, and what follows them: a pause, twice as long with each further failure, at
// most as long as the window. After a window without a failure all is forgotten.
struct AttemptLimits {
  int of_account_from_address = 5;
  int of_account =
      100;  // from anywhere that the account is not known from: so loose that guessing alone hardly meets it
  int of_address = 50;  // whichever account
  int of_sign_up = 20;  // people made from an address
  int of_site = 4;      // the /48 of an IPv6 address: so many times what is free for the address
  std::int64_t window_seconds = 900;
  std::int64_t first_pause_seconds = 30;
  std::int64_t networks = 16;      // that an account is known from: the latest that its person signed in from
  std::int64_t network_days = 90;  // and for how long
};

// Limits who guesses passwords. Counts are in the database, so that all replicas share them and Redis is not needed. An
// attempt is counted before it is known whether it fails, so that many at once are no way around the limit. While a
// pause lasts, the right password is refused too.
class Attempts {
 public:
  Attempts(pg::Pool& database, AttemptLimits limits) : database_(database), limits_(limits) {}

  // What an attempt counts for.
  struct Subjects {
    std::vector<std::string> hashes;  // the first one is forgotten when an attempt succeeds
    std::vector<int> free;
    void add(std::string hash, int free_attempts) {
      hashes.push_back(std::move(hash));
      free.push_back(free_attempts);
    }
  };
  // To sign in, or to prove in some other way to know the password of an account: an e-mail address or an id. What
  // strangers do to the account elsewhere does not count where it is known from.
  Subjects sign_in(std::string_view account, std::string_view address, bool is_known) const;
  Subjects sign_up(std::string_view address) const;

  // Counts an attempt; a Problem 429 with Retry-After when a pause is on.
  awaitable<void> begin(const Subjects& subjects);
  // The attempt succeeded.
  awaitable<void> succeeded(const Subjects& subjects);

  // Whether a person signed in from the network of an address before, lately.
  awaitable<bool> knows(model::Uuid person, std::string address);
  // In the transaction in which they do.
  awaitable<void> remember(pg::Transaction& transaction, model::Uuid person, std::string address);

 private:
  awaitable<void> refuse_if_locked(const Subjects& subjects);

  pg::Pool& database_;
  AttemptLimits limits_;
};

}  // namespace parley::organizations::people
