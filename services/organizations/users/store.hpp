#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"
#include "organizations/users/rows.hpp"
#include "organizations/users/shapes.hpp"

namespace parley::organizations::users {

using boost::asio::awaitable;

struct NewPerson {
  std::string name;
  std::string email;
  std::string password_hash;
  std::optional<std::string> organization_name;  // of an organization to create
};

struct PasswordChange {
  std::string old_hash;  // the one that was verified
  std::string hash;
  std::optional<model::Uuid> kept_session;  // all others end
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  awaitable<std::optional<AccountRow>> find_account(std::string email);
  awaitable<std::optional<AccountRow>> find_account(model::Uuid person);
  awaitable<AddressRow> find_address(std::string email);
  // In a transaction or outside. nullopt if the person does not exist.
  awaitable<std::optional<Profile>> profile(model::Uuid person);
  awaitable<std::optional<Profile>> profile(pg::Transaction& transaction, model::Uuid person);

  // Throws a Problem 409 if the address is taken. `from` is the origin of the request, for the organization's audit.
  awaitable<model::Uuid> create(pg::Transaction& transaction, NewPerson person, audit::Actor from);
  // Throws a Problem 409 if another request has changed the password. Audits a change of password.
  awaitable<void> change(pg::Transaction& transaction, model::Uuid person, std::optional<std::string> name,
                         std::optional<PasswordChange> password, audit::Actor from);

 private:
  pg::Pool& database_;
};

}  // namespace parley::organizations::users
