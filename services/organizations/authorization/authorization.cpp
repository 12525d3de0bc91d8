#include "organizations/authorization/authorization.hpp"

#include <algorithm>

#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "organizations/authorization/sql.hpp"
#include "organizations/credentials/shapes.hpp"

namespace parley::organizations::authorization {

namespace {

struct RightsRow {
  model::AccessLevel access_level = model::AccessLevel::Member;
  std::int64_t permissions = 0;  // union of the member's roles
};
BOOST_DESCRIBE_STRUCT(RightsRow, (), (access_level, permissions))

Rights rights_of(const RightsRow& row) {
  const auto of_roles = identity::PermissionSet(static_cast<std::uint64_t>(row.permissions));
  return {row.access_level, credentials::permissions_of(row.access_level, of_roles)};
}

void throw_lacking(std::string detail, const Rights& caller, const std::vector<Grant>& grants) {
  http::Problem problem({.status = 403, .detail = std::move(detail)});
  for (const auto& grant : grants) {
    const identity::PermissionSet lacking(grant.permissions.mask() & ~caller.permissions.mask());
    for (const auto& name : lacking.names()) {
      problem.detail += problem.errors.empty() ? name : ", " + name;
      problem.errors.push_back({grant.pointer, "you lack " + name});
    }
  }
  if (!problem.errors.empty()) throw problem;
}

struct RoleRow {
  model::Uuid id;
  std::string name;
  std::int64_t permissions = 0;
};
BOOST_DESCRIBE_STRUCT(RoleRow, (), (id, name, permissions))

}  // namespace

Caller caller_of(const chassis::Call& call) {
  return {audit::actor_of(call), {call.identity.access_level, call.identity.permissions}};
}

awaitable<Rights> lock(pg::Transaction& transaction, const Caller& caller,
                       const std::optional<identity::Permission>& needed) {
  pg::Batch batch;
  batch.add(sql::lock_organization, caller.organization());
  batch.add(sql::find, caller.organization(), caller.member());
  const auto results = co_await transaction.run(std::move(batch));
  const auto row = results.optional<RightsRow>(1);
  if (results.row_count(0) == 0 || !row)
    throw http::Problem({.status = 403, .detail = "you are no member of this organization any more"});
  const auto now = rights_of(*row);
  // Levels are declared from highest to lowest, so max() is the lower one.
  const Rights rights{std::max(now.level, caller.rights.level),
                      identity::PermissionSet(now.permissions.mask() & caller.rights.permissions.mask())};
  if (needed && !rights.permissions.has(*needed)) throw chassis::lacking(*needed);
  co_return rights;
}

awaitable<void> require_live(pg::Transaction& transaction, model::Uuid person, std::string credential_id) {
  const auto credential = model::Uuid::parse(credential_id).value_or(model::Uuid{});
  pg::Batch batch(sql::lock_person, person);
  batch.add(sql::is_live, person, credential);
  const auto results = co_await transaction.run(std::move(batch));
  if (!results.one<bool>(1))
    throw http::Problem({.status = 401,
                         .detail = "this credential has ended",
                         .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n"});
}

awaitable<Rights> lock_live(pg::Transaction& transaction, const Caller& caller, model::Uuid person,
                            std::optional<identity::Permission> needed) {
  co_await transaction.run(pg::Batch(sql::lock_organization, caller.organization()));  // locked before the person
  co_await require_live(transaction, person, caller.actor.credential_id);
  co_return co_await authorization::lock(transaction, caller, needed);
}

void check_level(const Rights& caller, model::AccessLevel level, std::string_view pointer) {
  if (level >= caller.level) return;
  const std::string detail =
      level == model::AccessLevel::Owner ? "only an Owner may do this" : "only an Owner or an Admin may do this";
  http::Problem problem({.status = 403, .detail = detail});
  if (!pointer.empty()) problem.errors.push_back({std::string(pointer), "is above your own access level"});
  throw problem;
}

awaitable<std::optional<Rights>> find(pg::Transaction& transaction, model::Uuid organization, model::Uuid member) {
  const auto results = co_await transaction.run(pg::Batch(sql::find, organization, member));
  const auto row = results.optional<RightsRow>();
  if (!row) co_return std::nullopt;
  co_return rights_of(*row);
}

void check_grants(const Rights& caller, const std::vector<Grant>& grants) {
  throw_lacking("you lack what this would grant: ", caller, grants);
}

void check_holds(const Rights& caller, identity::PermissionSet permissions, std::string_view pointer) {
  throw_lacking("you lack what this role holds: ", caller, {{std::string(pointer), permissions}});
}

awaitable<std::vector<RoleGrant>> find_roles(pg::Transaction& transaction, model::Uuid organization,
                                             std::vector<model::Uuid> ids) {
  const auto results = co_await transaction.run(pg::Batch(sql::find_roles, organization, ids));
  std::vector<RoleGrant> roles;
  for (auto& row : results.rows<RoleRow>()) {
    const auto at = std::find(ids.begin(), ids.end(), row.id) - ids.begin();
    const identity::PermissionSet permissions(static_cast<std::uint64_t>(row.permissions));
    roles.push_back({row.id, std::move(row.name), {"/roles/" + std::to_string(at), permissions}});
  }
  http::Faults faults;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (std::none_of(roles.begin(), roles.end(), [&](const auto& role) { return role.id == ids[i]; }))
      faults.add("/roles/" + std::to_string(i), "is no role of this organization");
  faults.throw_if_any();
  co_return roles;
}

void announce(pg::Batch& batch, const events::AccessChanged& change) {
  events::Changes changes;
  changes.add(change);
  batch.add(events::outbox::append, changes.json());
}

}  // namespace parley::organizations::authorization
