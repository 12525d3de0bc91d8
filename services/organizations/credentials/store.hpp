#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/authorization/authorization.hpp"
#include "organizations/credentials/rows.hpp"
#include "organizations/credentials/shapes.hpp"
#include "organizations/organizations/quotas.hpp"

namespace parley::organizations::credentials {

using boost::asio::awaitable;

struct OwnedKey {
  ListedKey key;
  model::Uuid member_id;
  model::AccessLevel level = model::AccessLevel::Member;
  std::string version;
};

// The API key that authenticated a request.
struct Maker {
  model::Uuid id;
  std::optional<model::Timestamp> expires_at;
};

// API keys. Each belongs to one member of one organization and acts as that member.
class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  // A page of a member's keys, including expired but not revoked ones.
  awaitable<Page> list(model::Uuid organization, model::Uuid member, Filter filter);
  awaitable<std::optional<OwnedKey>> find(model::Uuid organization, model::Uuid id);

  // Locks the request's API key against revocation until the transaction ends; nullopt if the person used a session.
  // Throws a Problem 401 if the key is no longer valid. Call it before other rows of keys are locked.
  awaitable<std::optional<Maker>> lock_maker(pg::Transaction& transaction, model::Uuid person, std::string credential);

  // A key expires no later than its maker and is revoked with it. Throws a Problem 409 above the limit per member, 403
  // if the member has left or the key would outlive its maker, 404 for a command with an unknown member.
  awaitable<MadeKey> create(pg::Transaction& transaction, audit::Actor actor, model::Uuid member, CreateKey key,
                            std::optional<Maker> maker);
  // Replaces the caller's default key; the old key, and keys created with it, end with the commit. Concurrent calls
  // leave one key. Only the result contains the key's text.
  awaitable<model::ApiKey> regenerate(pg::Transaction& transaction, authorization::Caller caller,
                                      std::optional<Maker> maker);

  // Locks the key until the transaction ends; nullopt if it does not exist.
  awaitable<std::optional<OwnedKey>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<void> revoke(pg::Transaction& transaction, authorization::Caller caller, OwnedKey locked);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::organizations::credentials
