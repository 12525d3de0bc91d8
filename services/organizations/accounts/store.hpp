#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"
#include "organizations/accounts/shapes.hpp"
#include "organizations/audit/record.hpp"

namespace parley::organizations::accounts {

using boost::asio::awaitable;

// Encrypts secrets when writing and decrypts them when reading.
class Store {
 public:
  Store(pg::Pool& database, const secrets::KeyRing& keys) : database_(database), keys_(keys) {}

  // The account of an organization, or of a phone number; nullopt if there is none.
  awaitable<std::optional<Account>> find(model::Uuid organization);
  awaitable<std::optional<Account>> find(std::string phone_number_id);
  // The organizations that send through this business account.
  awaitable<std::vector<model::Uuid>> owners_of(std::string business_account_id);
  // The verify token of the organization's callback URL; exists from the first claim() on.
  awaitable<std::optional<std::string>> find_webhook_secret(model::Uuid organization);

  // Throws a Problem 409 if the number belongs to another organization.
  awaitable<void> check_phone_number_is_free(model::Uuid organization, std::string phone_number_id);

  // Leases the setup until finish(), release() or 90 s have passed. Throws a Problem 409 while another request has it.
  awaitable<Setup> claim(model::Uuid organization);
  // Save a completed step. Throw a Problem 409 if the lease was lost.
  awaitable<void> save_token(model::Uuid organization, const Setup& setup);
  awaitable<void> save_subscription(model::Uuid organization, const Setup& setup, std::string business_account_id);
  // Makes the account current and ends the lease. Throws a Problem 409 for a lost lease, or if the number is taken.
  awaitable<void> finish(pg::Transaction& transaction, audit::Actor actor, std::string business_account_id,
                         std::string phone_number_id, const Setup& setup, PhoneNumber phone_number, bool is_registered);
  awaitable<void> release(model::Uuid organization, model::Uuid lease);

 private:
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
};

}  // namespace parley::organizations::accounts
