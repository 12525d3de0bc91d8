#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"
#include "organizations/people/rows.hpp"
#include "organizations/people/shapes.hpp"

namespace parley::organizations::people {

using boost::asio::awaitable;

struct NewPerson {
  std::string name;
  std::string email;
  std::string password_hash;
  std::optional<std::string> organization_name;  // of an organization to be theirs
};

struct PasswordChange {
  std::string old_hash;  // the one that was checked
  std::string hash;
  std::optional<model::Uuid> kept_session;  // every other one ends
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  awaitable<std::optional<AccountRow>> find_account(std::string email);
  awaitable<std::optional<AccountRow>> find_account(model::Uuid person);
  // In what a transaction sees, or by itself. Nothing if there is no such person any more.
  awaitable<std::optional<Profile>> profile(model::Uuid person);
  awaitable<std::optional<Profile>> profile(pg::Transaction& transaction, model::Uuid person);

  // Makes a person, and an organization that they own if it is named. A Problem 409 when the e-mail address is taken.
  // `from` is where the request came from, for the organization's audit.
  awaitable<model::Uuid> create(pg::Transaction& transaction, NewPerson person, audit::Actor from);
  // A Problem 409 when the password was changed by another request meanwhile. That it is changed is audited.
  awaitable<void> change(pg::Transaction& transaction, model::Uuid person, std::optional<std::string> name,
                         std::optional<PasswordChange> password, audit::Actor from);

 private:
  pg::Pool& database_;
};

}  // namespace parley::organizations::people
