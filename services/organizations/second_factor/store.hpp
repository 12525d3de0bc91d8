#pragma once
// The second factor of a person: an authenticator app (totp.hpp), and recovery codes for when it is lost. Begun with a
// new secret, on once a code has shown that the app has it. While it is on, no session is opened without a code.
#include <boost/asio/awaitable.hpp>

#include "common/chassis/reseal.hpp"
#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"
#include "organizations/audit/record.hpp"
#include "organizations/second_factor/shapes.hpp"
#include "organizations/users/attempts.hpp"

namespace parley::organizations::second_factor {

using boost::asio::awaitable;

// A code that was right when it was looked at; use() takes it. Either a step of this secret or a recovery code.
struct Proof {
  model::Uuid id;
  std::int64_t step = 0;
  std::string code_hash;
};

class Store {
 public:
  Store(pg::Pool& database, const secrets::KeyRing& keys, users::Attempts& attempts)
      : database_(database), keys_(keys), attempts_(attempts) {}

  enum class State : unsigned char { begun, on };
  // Looks at a code of the second factor in this state; nullopt if it is wrong or was used, which counts as a failed
  // attempt. Throws a Problem 409 if it is in another state, 429 during a pause. Call it before the transaction of the
  // change.
  awaitable<std::optional<Proof>> check(model::Uuid person, std::string code, std::string address, State state);
  // Takes the code, which no other request gets then. False if one already has. The person must be locked.
  awaitable<bool> use(pg::Transaction& transaction, model::Uuid person, Proof proof);

  // Makes a secret, in place of one that was not confirmed. Throws a Problem 409 if the second factor is on.
  awaitable<Begun> begin(pg::Transaction& transaction, model::Uuid person);
  // Switches it on, ends the person's sessions but the request's own, which may have been opened by the password alone,
  // and returns the recovery codes. Throws a Problem 409 if another request was faster.
  awaitable<std::vector<std::string>> confirm(pg::Transaction& transaction, model::Uuid person, Proof proof,
                                              audit::Actor from);
  // New recovery codes in place of the others. `proof` is that of the request's code, if it has one. Throws a Problem
  // 409 if the second factor is off or another request took the code.
  awaitable<std::vector<std::string>> replace_codes(pg::Transaction& transaction, model::Uuid person,
                                                    std::optional<Proof> proof, audit::Actor from);
  // Likewise.
  awaitable<void> switch_off(pg::Transaction& transaction, model::Uuid person, std::optional<Proof> proof,
                             audit::Actor from);

 private:
  awaitable<std::vector<std::string>> put_codes(pg::Transaction& transaction, pg::Batch batch, model::Uuid person);
  awaitable<void> lock_on(pg::Transaction& transaction, model::Uuid person, std::optional<Proof> proof);

  pg::Pool& database_;
  const secrets::KeyRing& keys_;
  users::Attempts& attempts_;
};

// Adds statements that end it without an announcement or audit, as a part of what ends all access as the person.
void forget(pg::Batch& batch, const model::Uuid& person);

// An operator's word for a person who has lost it. Throws a Problem 404 if nobody has this address, or it is off.
awaitable<void> switch_off(pg::Pool& database, std::string email);

chassis::SealedTable sealed_table();

}  // namespace parley::organizations::second_factor
