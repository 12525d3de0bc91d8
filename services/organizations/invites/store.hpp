#pragma once
#include <boost/asio/awaitable.hpp>
#include <variant>

#include "common/pg/pool.hpp"
#include "organizations/invites/rows.hpp"
#include "organizations/invites/shapes.hpp"
#include "organizations/invites/token.hpp"
#include "organizations/organizations/quotas.hpp"
#include "organizations/rights/rights.hpp"

namespace parley::organizations::invites {

using boost::asio::awaitable;

struct Created {
  Invite invite;
  Token token;
};

// Who accepts an invite: a person that is there, by their id, or one to be made.
using Joiner = std::variant<model::Uuid, NewAccount>;

// The Problem 400 of a token that cannot be accepted, the same whatever is wrong with it.
http::Problem bad_token();

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none(),
                 const organizations::Ownership* ownership = nullptr)
      : database_(database), quotas_(quotas), ownership_(ownership) {}

  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedInvite>> find(model::Uuid organization, model::Uuid id);

  // Problems: 400 for roles that are not there, 403 for a level above the caller's and roles that hold what the caller
  // lacks, 409 for who is a member already or has an open invite.
  awaitable<Created> create(pg::Transaction& transaction, rights::Caller caller, NewInvite invite);

  // The invite, unchanged by others until the transaction ends; nothing if there is none.
  awaitable<std::optional<VersionedInvite>> lock(pg::Transaction& transaction, rights::Caller caller, model::Uuid id);
  // Ends an invite before it is accepted, or when it has expired. One that was accepted is a Problem 409.
  awaitable<void> revoke(pg::Transaction& transaction, rights::Caller caller, Invite locked);

  // Throws bad_token() unless the token can be accepted at this moment.
  awaitable<void> check(Token token);
  // Makes whoever it is a member, with what the invite grants; the invite is used up. Problems: as check(), and the
  // same when who invited could not do so at this moment; 401 for a person whose credential has ended; 403 for a person
  // whom the invite is not addressed to; 409 for who is a member already, and for a new account where its address has
  // one. `actor` has nobody as its member yet.
  awaitable<JoinResponse> accept(pg::Transaction& transaction, Token token, Joiner joiner, audit::Actor actor);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
  const organizations::Ownership* const ownership_;
};

}  // namespace parley::organizations::invites
