#pragma once
// Whose an e-mail address is. Whoever registers or accepts an invitation says so themselves, and may have named
// somebody else's: such a person is unproved. They are what they made and what they were let into by a token, and get
// nothing by their address alone. An operator's word proves an address, as does a token that the operator hands out.
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"
#include "organizations/people/password_token.hpp"

namespace parley::organizations::people {

using boost::asio::awaitable;

struct Holder {
  model::Uuid id;
  bool has_password = false;
  bool is_taken_over = false;
};

// The person with an address, by an operator's `command`: made if new, and locked until the transaction ends. An
// unproved one is taken over: their password, sessions and keys end, which the audits of their organizations say.
awaitable<Holder> hold(pg::Transaction& transaction, std::string email, std::string name, std::string command);

// A token that sets the person's password, in place of the one before.
struct IssuedToken {
  std::string passwordToken;
  model::Timestamp expiresAt;
};
BOOST_DESCRIBE_STRUCT(IssuedToken, (), (passwordToken, expiresAt))

constexpr std::int64_t kTokenSeconds = 24 * 3600;
awaitable<IssuedToken> issue_token(pg::Transaction& transaction, model::Uuid person,
                                   std::int64_t life_seconds = kTokenSeconds);
// The same for whoever has an address. A Problem 404 when nobody has.
awaitable<IssuedToken> issue_token(pg::Pool& database, std::string email, std::int64_t life_seconds);

// The Problem 400 of a token that sets no password, the same whatever is wrong with it.
http::Problem bad_password_token();
// Throws it unless the token would be good at this moment.
awaitable<void> check_token(pg::Pool& database, PasswordToken token);
// Uses the token up: the password is set, the address is proved, all sessions end; what an unproved person had, too.
awaitable<void> set_password(pg::Transaction& transaction, PasswordToken token, std::string password_hash,
                             audit::Actor from);

}  // namespace parley::organizations::people
