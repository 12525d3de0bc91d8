#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/credentials/rows.hpp"
#include "organizations/credentials/shapes.hpp"
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

// The API keys of members. Each belongs to one member of one organization and acts as that member.
class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // A page of a member's keys that are not revoked; expired ones are among them.
  awaitable<Page> list(model::Uuid organization, model::Uuid member, Filter filter);
  awaitable<std::optional<OwnedKey>> find(model::Uuid organization, model::Uuid id);

  // Makes a named key of a member's. A Problem 409 beyond the most that a member may have, 403 when the member
  // has left, 404 for a command that names none.
  awaitable<MadeKey> create(pg::Transaction& transaction, audit::Actor actor, model::Uuid member, CreateKey key);
  // Replaces the caller's default key by a new one: the old one stops being good with the commit. However many do so at
  // once, one key is left. The answer holds the key's text, which is nowhere else.
  awaitable<model::ApiKey> regenerate(pg::Transaction& transaction, rights::Caller caller);

  // The key, unchanged by others until the transaction ends; nothing if there is none.
  awaitable<std::optional<OwnedKey>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<void> revoke(pg::Transaction& transaction, rights::Caller caller, OwnedKey locked);

 private:
  pg::Pool& database_;
};

}  // namespace parley::organizations::credentials
