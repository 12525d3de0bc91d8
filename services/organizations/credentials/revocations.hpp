#pragma once
#include "common/pg/pool.hpp"

namespace parley::organizations::credentials {

using boost::asio::awaitable;

struct RevokedKey {
  model::Uuid id, memberId;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(RevokedKey, (), (id, memberId, name))

// What an operator does in an emergency: keys end, whoever's they are. It is audited as done by nobody of the
// organization, and told, so that gateways that hear the feed forget them within a second.

// One key, of whatever organization. Nothing: there is none with this id that was not revoked before.
awaitable<std::vector<RevokedKey>> revoke(pg::Pool& database, model::Uuid id);
// All keys of an organization, or of one of its members.
awaitable<std::vector<RevokedKey>> revoke_all(pg::Pool& database, model::Uuid organization,
                                              std::optional<model::Uuid> member);

}  // namespace parley::organizations::credentials
