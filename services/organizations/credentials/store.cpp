#include "organizations/credentials/store.hpp"

#include <algorithm>

#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/credentials/revocations.hpp"
#include "organizations/credentials/sql.hpp"

namespace parley::organizations::credentials {

using model::AuditAction;

namespace {

constexpr std::int64_t kMaxKeys = 100;  // valid keys of one member

ListedKey to_key(ListedRow row, const model::Uuid& organization) {
  auto prefix = identity::ApiKey{organization, row.id, {}}.prefix();
  return {row.id,         std::move(row.name), std::move(prefix), row.created_at,
          row.expires_at, row.last_used_at,    row.is_default};
}

std::optional<OwnedKey> to_owned(std::optional<OwnedRow> row, const model::Uuid& organization) {
  if (!row) return std::nullopt;
  const auto member = row->member_id;
  const auto level = row->access_level;
  auto version = std::move(row->version);
  return OwnedKey{to_key(std::move(*row), organization), member, level, std::move(version)};
}

http::Problem no_member_any_more() {
  return http::Problem({.status = 403, .detail = "you are no member of this organization any more"});
}

// A key must not outlive the key that it was created with.
void limit(CreateKey& key, model::Timestamp most) {
  if (!key.expiresAt) key.expiresAt = most;
  if (key.expiresAt->milliseconds_since_epoch <= most.milliseconds_since_epoch) return;
  throw http::Problem({.status = 403,
                       .detail = "a key cannot be good for longer than the one that it is made with",
                       .errors = {{"/expiresAt", "must not be after " + most.text()}}});
}

struct RevokedDefault {
  model::Uuid id;
  std::optional<model::Uuid> made_by;
};
BOOST_DESCRIBE_STRUCT(RevokedDefault, (), (id, made_by))

http::Problem no_member() {
  return http::Problem({.status = 404, .detail = "there is no such member in this organization"});
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, model::Uuid member, Filter filter) {
  const bool by_search = !filter.search.empty();
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.after.has_value(),
                       .by_name = filter.sort_by == SortBy::name,
                       .by_search = by_search,
                       .descending = filter.descending}],
            organization, member, filter.search, after.id, after.text, filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count[{.by_search = by_search}], organization, member, filter.search);
  const auto results = co_await database_.read(std::move(batch));
  Page page;
  for (auto& row : results.rows<ListedRow>(0)) page.keys.push_back(to_key(std::move(row), organization));
  page.total = results.one<std::int64_t>(1);
  co_return page;
}

awaitable<std::optional<OwnedKey>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  co_return to_owned(results.optional<OwnedRow>(), organization);
}

awaitable<std::optional<Maker>> Store::lock_maker(pg::Transaction& transaction, model::Uuid person,
                                                  std::string credential) {
  const auto id = model::Uuid::parse(credential);
  if (!id) co_return std::nullopt;
  pg::Batch batch(sql::lock_maker, person, *id);
  batch.add(sql::is_session, *id, person);
  const auto results = co_await transaction.run(std::move(batch));
  if (results.row_count(0) > 0) co_return Maker{*id, results.one<std::optional<model::Timestamp>>(0)};
  if (results.one<bool>(1)) co_return std::nullopt;
  throw http::Problem({.status = 401, .detail = "the key that this was asked with is no longer good"});
}

// Locks the member before counting, so that concurrent requests cannot exceed the limit.
awaitable<MadeKey> Store::create(pg::Transaction& transaction, audit::Actor actor, model::Uuid member, CreateKey key,
                                 std::optional<Maker> maker) {
  const auto& organization = actor.organization_id;
  if (maker && maker->expires_at) limit(key, *maker->expires_at);
  pg::Batch look(sql::lock_member, organization, member);
  look.add(sql::count_live, organization, member);
  const auto found = co_await transaction.run(std::move(look));
  if (found.row_count(0) == 0) throw actor.member_id ? no_member_any_more() : no_member();
  if (found.one<std::int64_t>(1) >= kMaxKeys)
    throw http::Problem(
        {.status = 409, .detail = "a member may have " + std::to_string(kMaxKeys) + " API keys: delete one first"});
  co_await quotas_.require(transaction, organization, organizations::kApiKeys);
  const auto made = identity::ApiKey::create(organization, model::new_uuid());
  const std::optional<model::Timestamp>& expires_at = key.expiresAt;
  pg::Batch batch(sql::insert, organization, made.credential_id, member, key.name, made.secret_hash(), expires_at,
                  maker ? std::optional(maker->id) : std::nullopt);
  audit::record(batch, actor,
                {.action = AuditAction::ApiKeyCreated, .subject_id = made.credential_id, .subject = key.name});
  const auto results = co_await transaction.run(std::move(batch));
  co_return MadeKey{made.credential_id, std::move(key.name), made.text(), results.one<model::Timestamp>(0),
                    key.expiresAt};
}

// If the request's own key ends by this, the new key's maker is the maker of the old default key.
awaitable<model::ApiKey> Store::regenerate(pg::Transaction& transaction, authorization::Caller caller,
                                           std::optional<Maker> maker) {
  const auto& organization = caller.organization();
  pg::Batch ending;
  ending.add(sql::lock_member, organization, caller.member());
  ending.add(sql::revoke_default, organization, caller.member());
  const auto ended = co_await transaction.run(std::move(ending));
  const auto old = ended.optional<RevokedDefault>(1);
  std::optional<model::Uuid> made_by;
  if (maker) made_by = maker->id;
  if (old) {
    auto gone = co_await revoke_made_with(transaction, {old->id}, caller.actor);
    gone.push_back(old->id);
    if (made_by && std::find(gone.begin(), gone.end(), *made_by) != gone.end()) made_by = old->made_by;
  }

  const auto key = identity::ApiKey::create(organization, model::new_uuid());
  pg::Batch batch;
  batch.add(sql::insert_default, organization, caller.member(), key.credential_id, key.secret_hash(),
            maker ? maker->expires_at : std::nullopt, made_by);
  audit::record(batch, caller.actor,
                {.action = AuditAction::ApiKeyRegenerated, .subject_id = key.credential_id, .subject = "default"});
  authorization::announce(batch, {organization, caller.member(), {}, {}});
  const auto results = co_await transaction.run(std::move(batch));
  const auto created_at = results.optional<model::Timestamp>(0);
  if (!created_at) throw no_member_any_more();
  co_return model::ApiKey{key.credential_id, key.text(), *created_at};
}

awaitable<std::optional<OwnedKey>> Store::lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  pg::Batch batch(sql::lock, organization, id);
  batch.add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  co_return to_owned(results.optional<OwnedRow>(1), organization);
}

awaitable<void> Store::revoke(pg::Transaction& transaction, authorization::Caller caller, OwnedKey locked) {
  pg::Batch batch(sql::revoke, caller.organization(), locked.key.uniqueId);
  audit::record(batch, caller.actor,
                {.action = AuditAction::ApiKeyDeleted, .subject_id = locked.key.uniqueId, .subject = locked.key.name});
  authorization::announce(batch, {caller.organization(), {}, {}, locked.key.uniqueId});
  co_await transaction.run(std::move(batch));
  co_await revoke_made_with(transaction, {locked.key.uniqueId}, caller.actor);
}

}  // namespace parley::organizations::credentials
