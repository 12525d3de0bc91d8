#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"
#include "organizations/accounts/shapes.hpp"
#include "organizations/audit/record.hpp"

namespace parley::organizations::accounts {

using boost::asio::awaitable;

// Seals what it writes and opens what it reads.
class Store {
 public:
  Store(pg::Pool& database, const secrets::KeyRing& keys) : database_(database), keys_(keys) {}

  // What an organization is connected to, or what is connected to a phone number; nullopt if nothing is.
  awaitable<std::optional<Account>> find(model::Uuid organization);
  awaitable<std::optional<Account>> find(std::string phone_number_id);
  // What the channel proves itself with at the organization's own URL, from the first attempt to connect on.
  awaitable<std::optional<std::string>> find_webhook_secret(model::Uuid organization);

  // A number that another organization is connected to is a Problem 409.
  awaitable<void> check_phone_number_is_free(model::Uuid organization, std::string phone_number_id);

  // The organization's setup, for this request alone: another one that is under way is a Problem 409. Ends with
  // finish(), release(), or by itself after 90 s, should this process go.
  awaitable<Setup> claim(model::Uuid organization);
  // Each keeps what was reached. A setup that was claimed by another one meanwhile is a Problem 409.
  awaitable<void> save_token(model::Uuid organization, const Setup& setup);
  awaitable<void> save_subscription(model::Uuid organization, const Setup& setup, std::string business_account_id);
  // Makes the account what the actor's organization works with, and gives the setup back.
  awaitable<void> finish(pg::Transaction& transaction, audit::Actor actor, std::string business_account_id,
                         std::string phone_number_id, const Setup& setup, PhoneNumber phone_number, bool is_registered);
  awaitable<void> release(model::Uuid organization, model::Uuid lease);

 private:
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
};

}  // namespace parley::organizations::accounts
