#include "organizations/credentials/revocations.hpp"

#include "organizations/credentials/sql.hpp"
#include "organizations/rights/rights.hpp"

namespace parley::organizations::credentials {

namespace {

struct Wanted {
  model::Uuid organization;
  std::optional<model::Uuid> member, id;
};

awaitable<std::vector<RevokedKey>> revoke(pg::Pool& database, Wanted wanted) {
  auto transaction = co_await database.begin();
  const auto& statement = sql::revoke_all[{wanted.member ? "of_member" : "", wanted.id ? "by_id" : ""}];
  const auto results = co_await transaction.run(pg::Batch(statement, wanted.organization, wanted.member, wanted.id));
  auto keys = results.rows<RevokedKey>();
  if (keys.empty()) co_return keys;
  const audit::Actor operators{wanted.organization, std::nullopt, "", "", ""};
  pg::Batch last;
  for (const auto& key : keys)
    audit::record(last, operators,
                  {.action = model::AuditAction::ApiKeyDeleted, .subject_id = key.id, .subject = key.name});
  rights::announce(last, {wanted.organization, wanted.member, {}, wanted.id});
  co_await transaction.commit(std::move(last));
  co_return keys;
}

}  // namespace

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
