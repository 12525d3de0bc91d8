#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/chassis/reseal.hpp"
#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"

namespace parley::organizations::mail {

using boost::asio::awaitable;

// What a row tells. Its secret is the e-mail address of a Request, otherwise the token that the mail brings.
enum class Kind { Request, Password, Invitation };
BOOST_DESCRIBE_ENUM(Kind, Request, Password, Invitation)

inline constexpr std::string_view kField = "mail";  // of sealed secrets

// How long a link for a password is good, and how long each mail is tried.
inline constexpr std::int64_t kLinkSeconds = 3600;
inline constexpr std::int64_t kInvitationSeconds = 24 * 3600;

// Puts mails into the queue, in the transaction of what they tell. The worker sends each at least once.
class Store {
 public:
  // `is_on`: there is somebody who sends them; otherwise nothing may be put.
  Store(const secrets::KeyRing& keys, bool is_on) : keys_(keys), is_on_(is_on) {}

  bool is_on() const { return is_on_; }
  // A link that sets the password of who has the address. Whether anybody does is found out by the worker, so that this
  // is the same for all addresses. Throws a Problem 503 if too many mails wait, as the next one does.
  awaitable<void> request(pg::Transaction& transaction, std::string email) const;
  awaitable<void> invite(pg::Transaction& transaction, std::string token) const;

 private:
  awaitable<void> put(pg::Transaction& transaction, Kind kind, std::string secret, std::int64_t life_seconds) const;

  const secrets::KeyRing& keys_;
  const bool is_on_;
};

chassis::SealedTable sealed_table();

}  // namespace parley::organizations::mail
