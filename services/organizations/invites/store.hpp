#pragma once
#include <boost/asio/awaitable.hpp>
#include <variant>

#include "common/pg/pool.hpp"
#include "organizations/authorization/authorization.hpp"
#include "organizations/invites/rows.hpp"
#include "organizations/invites/shapes.hpp"
#include "organizations/invites/token.hpp"
#include "organizations/organizations/quotas.hpp"

namespace parley::organizations::invites {

using boost::asio::awaitable;

struct Created {
  Invite invite;
  Token token;
};

// The accepting person: the id of an existing one, or a new account.
using Joiner = std::variant<model::Uuid, NewAccount>;

// The Problem 400 of an unusable token, the same for every reason.
http::Problem bad_token();

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none(),
                 const organizations::Ownership* ownership = nullptr)
      : database_(database), quotas_(quotas), ownership_(ownership) {}

  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedInvite>> find(model::Uuid organization, model::Uuid id);

  // Throws a Problem 400 for unknown roles; 403 for a level above the caller's or permissions that the caller lacks;
  // 409 if the address is a member's or has an open invite.
  awaitable<Created> create(pg::Transaction& transaction, authorization::Caller caller, NewInvite invite);

  // Locks the invite until the transaction ends; nullopt if it does not exist.
  awaitable<std::optional<VersionedInvite>> lock(pg::Transaction& transaction, authorization::Caller caller,
                                                 model::Uuid id);
  // Deletes an open or expired invite. Throws a Problem 409 for an accepted one.
  awaitable<void> revoke(pg::Transaction& transaction, authorization::Caller caller, Invite locked);

  // Throws bad_token() unless the token is usable now.
  awaitable<void> check(Token token);
  // Makes the joiner a member and consumes the invite. Throws bad_token() as check(), or if the inviter could no longer
  // grant it; a Problem 401 if the person's credential has ended, 403 if the invite is another person's, 409 for a
  // member, or for a new account with an address that is taken. `actor` has no member yet.
  awaitable<JoinResponse> accept(pg::Transaction& transaction, Token token, Joiner joiner, audit::Actor actor);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
  const organizations::Ownership* const ownership_;
};

}  // namespace parley::organizations::invites
