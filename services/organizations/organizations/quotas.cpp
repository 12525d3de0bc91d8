#include "organizations/organizations/quotas.hpp"

#include "organizations/organizations/sql.hpp"

namespace parley::organizations::organizations {

QuotaSettings QuotaSettings::read(chassis::Environment& environment) {
  QuotaSettings out;
  out.owned = chassis::Quotas::read(environment, {{std::string(kOwned), out.owned}}).usual(kOwned);
  out.of_organizations = chassis::Quotas::read(environment, {{std::string(kMembers), 1'000},
                                                             {std::string(kInvitations), 500},
                                                             {std::string(kRoles), 500},
                                                             {std::string(kApiKeys), 2'000}});
  return out;
}

// A second statement counts, so that it sees what earlier holders of the lock have committed.
awaitable<void> Ownership::require(pg::Transaction& transaction, model::Uuid person) const {
  pg::Batch batch(sql::lock_owner, person);
  batch.add(sql::count_owned, person);
  const auto results = co_await transaction.run(std::move(batch));
  if (results.row_count(0) == 0) throw http::Problem({.status = 403, .detail = "this account is no more"});
  const auto most = results.one<std::optional<std::int64_t>>(0).value_or(usual_);
  if (results.one<std::int64_t>(1) >= most) throw chassis::beyond_quota(kOwned, most);
}

awaitable<chassis::QuotaUse> Ownership::use(model::Uuid person) const {
  pg::Batch batch(sql::most_owned, person);
  batch.add(sql::count_owned, person);
  const auto results = co_await database_.read(std::move(batch));
  const auto most = results.one<std::optional<std::int64_t>>(0);
  co_return chassis::QuotaUse{std::string(kOwned), most.value_or(usual_), results.one<std::int64_t>(1)};
}

awaitable<bool> Ownership::set(model::Uuid person, std::optional<std::int64_t> most) const {
  const auto results = co_await database_.write(pg::Batch(sql::set_most_owned, person, most));
  co_return results.affected() > 0;
}

}  // namespace parley::organizations::organizations
