#include "organizations/credentials/revocations.hpp"

#include "organizations/authorization/authorization.hpp"
#include "organizations/credentials/sql.hpp"

namespace parley::organizations::credentials {

namespace {

struct Wanted {
  model::Uuid organization;
  std::optional<model::Uuid> member, id;
};

struct EndedRow {
  model::Uuid organization_id, id;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(EndedRow, (), (organization_id, id, name))

awaitable<std::vector<RevokedKey>> revoke(pg::Pool& database, Wanted wanted) {
  auto transaction = co_await database.begin();
  const auto& statement = sql::revoke_all[{.by_id = wanted.id.has_value(), .of_member = wanted.member.has_value()}];
  const auto results = co_await transaction.run(pg::Batch(statement, wanted.organization, wanted.member, wanted.id));
  auto keys = results.rows<RevokedKey>();
  if (keys.empty()) co_return keys;
  const audit::Actor operators{wanted.organization, std::nullopt, "", "", ""};
  pg::Batch last;
  for (const auto& key : keys)
    audit::record(last, operators,
                  {.action = model::AuditAction::ApiKeyDeleted, .subject_id = key.id, .subject = key.name});
  authorization::announce(last, {wanted.organization, wanted.member, {}, wanted.id});
  co_await transaction.run(std::move(last));
  std::vector<model::Uuid> ids;
  for (const auto& key : keys) ids.push_back(key.id);
  co_await revoke_made_with(transaction, std::move(ids), operators);
  co_await transaction.commit();
  co_return keys;
}

}  // namespace

// Revokes one generation per statement, which waits for transactions that are creating keys with the generation before.
awaitable<std::vector<model::Uuid>> revoke_made_with(pg::Transaction& transaction, std::vector<model::Uuid> keys,
                                                     audit::Actor actor) {
  std::vector<model::Uuid> all;
  while (!keys.empty()) {
    const auto results = co_await transaction.run(pg::Batch(sql::revoke_made_by, keys));
    keys.clear();
    pg::Batch batch;
    for (const auto& row : results.rows<EndedRow>()) {
      keys.push_back(row.id);
      auto there = actor;
      if (row.organization_id != actor.organization_id) there.member_id.reset();
      there.organization_id = row.organization_id;
      audit::record(batch, there,
                    {.action = model::AuditAction::ApiKeyDeleted, .subject_id = row.id, .subject = row.name});
      authorization::announce(batch, {row.organization_id, {}, {}, row.id});
    }
    if (!batch.empty()) co_await transaction.run(std::move(batch));
    all.insert(all.end(), keys.begin(), keys.end());
  }
  co_return all;
}

awaitable<std::vector<RevokedKey>> revoke(pg::Pool& database, model::Uuid id) {
  const auto results = co_await database.read(pg::Batch(sql::home, id));
  const auto organization = results.optional<model::Uuid>();
  if (!organization) co_return std::vector<RevokedKey>{};
  co_return co_await revoke(database, Wanted{*organization, std::nullopt, id});
}

awaitable<std::vector<RevokedKey>> revoke_all(pg::Pool& database, model::Uuid organization,
                                              std::optional<model::Uuid> member) {
  return revoke(database, Wanted{organization, member, std::nullopt});
}

}  // namespace parley::organizations::credentials
