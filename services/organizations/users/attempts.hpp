#pragma once
#include <boost/asio/awaitable.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/uuid.hpp"
#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"

namespace parley::organizations::users {

using boost::asio::awaitable;

// Numbers of failed attempts without consequence. Each further failure starts a pause, twice as long as the one before,
// at most the window. A window without a failure resets the count.
struct AttemptLimits {
  int of_account_from_address = 5;
  int of_account = 100;  // from all unknown networks: loose, as strangers could lock the account
  int of_address = 50;   // from one address, for all accounts
  int of_sign_up = 20;   // accounts created from an address
  int of_inviter = 500;  // invitations mailed for an organization
  int of_site = 4;       // factor for the /48 of an IPv6 address
  std::int64_t window_seconds = 900;
  std::int64_t first_pause_seconds = 30;
  std::int64_t networks = 16;      // known networks kept per account, the latest first
  std::int64_t network_days = 90;  // how long a network stays known
};

// Limits password guessing. Counts are in the database, so all replicas share them. An attempt is counted before it is
// verified, so that concurrent ones cannot exceed the limit. During a pause the right password is refused, too.
class Attempts {
 public:
  Attempts(pg::Pool& database, AttemptLimits limits) : database_(database), limits_(limits) {}

  // The counters that an attempt increments.
  struct Subjects {
    std::vector<std::string> hashes;  // success deletes the first and takes the attempt back from the others
    std::vector<int> free;
    std::int64_t window_seconds = 0;  // where failures count for longer than usual
    bool are_mails = false;           // every one counts, as none fails or succeeds
    void add(std::string hash, int free_attempts) {
      hashes.push_back(std::move(hash));
      free.push_back(free_attempts);
    }
  };
  // For an attempt at an account's password; `account` is an e-mail address or an id. With `is_known`, counters that
  // strangers elsewhere can raise are skipped.
  Subjects sign_in(std::string_view account, std::string_view address, bool is_known) const;
  // For an attempt at a code of an account's second factor, by who knows its password. Failures count for a day, and
  // from all unknown networks as from one: a code has six digits, of which three are good at any time.
  Subjects code(std::string_view account, std::string_view address, bool is_known) const;
  Subjects sign_up(std::string_view address) const;
  // For mails that somebody asks for from an address: of all accounts, and of one, whether it exists or not.
  Subjects mails_from(std::string_view address) const;
  Subjects mails_to(std::string_view account, std::string_view address, bool is_known) const;
  // For an invitation of an organization that is mailed to `account`.
  Subjects invitation(const model::Uuid& organization, std::string_view account) const;

  // Counts an attempt. Throws a Problem 429 with Retry-After during a pause.
  awaitable<void> begin(const Subjects& subjects);
  // The same in two parts, for what counts only if the transaction commits.
  awaitable<void> refuse_if_locked(const Subjects& subjects);
  awaitable<void> count(pg::Transaction& transaction, const Subjects& subjects);
  // Tells the audit of the person's organizations that an attempt failed. Writes for an unknown account, too, so that
  // timing reveals nothing.
  awaitable<void> failed(const Subjects& subjects, model::Uuid person, audit::Actor from);
  // Uncounts a successful attempt.
  awaitable<void> succeeded(const Subjects& subjects);

  // True if the person signed in from the network of this address within network_days.
  awaitable<bool> knows(model::Uuid person, std::string address);
  // Call it in the transaction of a sign-in.
  awaitable<void> remember(pg::Transaction& transaction, model::Uuid person, std::string address);

 private:
  pg::Pool& database_;
  AttemptLimits limits_;
};

}  // namespace parley::organizations::users
