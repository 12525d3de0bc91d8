#pragma once
// Ownership of e-mail addresses. Registration and invitations leave a person unproved; an address alone gives it
// nothing. An operator's command, or a token that the operator hands out, proves the address.
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"
#include "organizations/users/password_token.hpp"

namespace parley::organizations::users {

using boost::asio::awaitable;

struct Holder {
  model::Uuid id;
  bool has_password = false;
  bool is_taken_over = false;
};

// Returns the person with the address for an operator's `command`, created if new, locked until the transaction ends.
// Takes an unproved person over: its password, sessions and keys end, with entries in its organizations' audits.
awaitable<Holder> hold(pg::Transaction& transaction, std::string email, std::string name, std::string command);

// A token that sets the person's password; replaces the previous token.
struct IssuedToken {
  std::string passwordToken;
  model::Timestamp expiresAt;
};
BOOST_DESCRIBE_STRUCT(IssuedToken, (), (passwordToken, expiresAt))

constexpr std::int64_t kTokenSeconds = 24 * 3600;
awaitable<IssuedToken> issue_token(pg::Transaction& transaction, model::Uuid person,
                                   std::int64_t life_seconds = kTokenSeconds);
// The same by address. Throws a Problem 404 if no person has it.
awaitable<IssuedToken> issue_token(pg::Pool& database, std::string email, std::int64_t life_seconds);

// The Problem 400 of an unusable token, the same for every reason.
http::Problem bad_password_token();
// Throws bad_password_token() unless the token is usable now.
awaitable<void> check_token(pg::Pool& database, PasswordToken token);
// Sets the password, proves the address, ends sessions, and keys of an unproved person. Throws bad_password_token().
awaitable<void> set_password(pg::Transaction& transaction, PasswordToken token, std::string password_hash,
                             audit::Actor from);

}  // namespace parley::organizations::users
