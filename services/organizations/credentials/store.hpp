#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/credentials/rows.hpp"
#include "organizations/credentials/shapes.hpp"
#include "organizations/organizations/quotas.hpp"
#include "organizations/rights/rights.hpp"

namespace parley::organizations::credentials {

using boost::asio::awaitable;

// A key, whose it is, and what that member's level is.
struct OwnedKey {
  ListedKey key;
  model::Uuid member_id;
  model::AccessLevel level = model::AccessLevel::Member;
  std::string version;
};

// The key that a request came with.
struct Maker {
  model::Uuid id;
  std::optional<model::Timestamp> expires_at;
};

// The API keys of members. Each belongs to one member of one organization and acts as that member.
class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  // A page of a member's keys that are not revoked; expired ones are among them.
  awaitable<Page> list(model::Uuid organization, model::Uuid member, Filter filter);
  awaitable<std::optional<OwnedKey>> find(model::Uuid organization, model::Uuid id);

  // The key that the person came with, nothing if they had signed in: it stays good until the transaction ends. A
  // Problem 401 if it is good no more. To be called before rows of keys are locked otherwise.
  awaitable<std::optional<Maker>> lock_maker(pg::Transaction& transaction, model::Uuid person, std::string credential);

  // Makes a named key of a member's. What is made with a key ends with it: no later, and when it is revoked. A Problem
  // 409 beyond the most that a member may have, 403 when the member has left or the key would be good for longer than
  // its maker, 404 for a command that names none.
  awaitable<MadeKey> create(pg::Transaction& transaction, audit::Actor actor, model::Uuid member, CreateKey key,
                            std::optional<Maker> maker);
  // Replaces the caller's default key by a new one: the old one stops being good with the commit, and so does what was
  // made with it. However many do so at once, one key is left. The answer holds the key's text, which is nowhere else.
  awaitable<model::ApiKey> regenerate(pg::Transaction& transaction, rights::Caller caller, std::optional<Maker> maker);

  // The key, unchanged by others until the transaction ends; nothing if there is none.
  awaitable<std::optional<OwnedKey>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<void> revoke(pg::Transaction& transaction, rights::Caller caller, OwnedKey locked);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::organizations::credentials
