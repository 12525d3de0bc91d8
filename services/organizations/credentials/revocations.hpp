#pragma once
#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"

namespace parley::organizations::credentials {

using boost::asio::awaitable;

struct RevokedKey {
  model::Uuid id, memberId;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(RevokedKey, (), (id, memberId, name))

// Revokes all keys created, directly or not, with these keys, in all organizations; audits them as the actor's doing
// and announces them. Call it after the keys were revoked or deleted in this transaction: creators lock the maker until
// they commit, so none is missed. Returns their ids.
awaitable<std::vector<model::Uuid>> revoke_made_with(pg::Transaction& transaction, std::vector<model::Uuid> keys,
                                                     audit::Actor actor);

// Operators' emergency revocations: audited without a member, announced, and effective at gateways within a second.

// Revokes one key of any organization. Empty if it is unknown or already revoked.
awaitable<std::vector<RevokedKey>> revoke(pg::Pool& database, model::Uuid id);
// Revokes all keys of an organization, or of one member.
awaitable<std::vector<RevokedKey>> revoke_all(pg::Pool& database, model::Uuid organization,
                                              std::optional<model::Uuid> member);

}  // namespace parley::organizations::credentials
