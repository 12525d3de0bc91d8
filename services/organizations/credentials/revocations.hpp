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

// Ends all that was made with these keys, with what was made with that, and so on, in whichever organizations: audited
// as the actor's doing, and told. To be called after the keys themselves were revoked or deleted in this transaction:
// who makes keys holds the maker until they commit, so that none is missed. Gives what has ended by it.
awaitable<std::vector<model::Uuid>> revoke_made_with(pg::Transaction& transaction, std::vector<model::Uuid> keys,
                                                     audit::Actor actor);

// What an operator does in an emergency: keys end, whoever's they are. It is audited as done by nobody of the
// organization, and told, so that gateways that hear the feed forget them within a second.

// One key, of whatever organization. Nothing: there is none with this id that was not revoked before.
awaitable<std::vector<RevokedKey>> revoke(pg::Pool& database, model::Uuid id);
// All keys of an organization, or of one of its members.
awaitable<std::vector<RevokedKey>> revoke_all(pg::Pool& database, model::Uuid organization,
                                              std::optional<model::Uuid> member);

}  // namespace parley::organizations::credentials
