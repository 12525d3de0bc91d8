#include "organizations/roles/store.hpp"

#include "organizations/roles/rows.hpp"
#include "organizations/roles/sql.hpp"

namespace parley::organizations::roles {

using model::AuditAction;

namespace {

// The audit's copy of a role.
struct Kept {
  std::string name;
  std::string description;
  std::vector<std::string> permissions;
};
BOOST_DESCRIBE_STRUCT(Kept, (), (name, description, permissions))

model::RawJson kept(const model::Role& role) {
  return {model::to_json(Kept{role.name, role.description, role.permissions})};
}

void check_grants(const authorization::Rights& caller, const Permissions& permissions, identity::PermissionSet had) {
  std::vector<authorization::Grant> grants;
  for (std::size_t i = 0; i < permissions.size(); ++i) {
    if (had.has(permissions[i])) continue;
    grants.push_back({"/permissions/" + std::to_string(i), {}});
    grants.back().permissions.add(permissions[i]);
  }
  authorization::check_grants(caller, grants);
}

identity::PermissionSet set_of(const Permissions& permissions) {
  identity::PermissionSet out;
  for (const auto permission : permissions) out.add(permission);
  return out;
}

// Runs a batch that sets a role's name. Throws a Problem 409 if the name is taken.
awaitable<void> write(pg::Transaction& transaction, pg::Batch batch, const std::string& name) {
  try {
    co_await transaction.run(std::move(batch));
  } catch (const pg::SqlError& error) {
    if (!error.is_unique_violation("role_name")) throw;
    throw http::Problem({.status = 409,
                         .detail = "another role is named " + name,
                         .errors = {{"/name", "is the name of another role"}}});
  }
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  const bool by_search = !filter.search.empty();
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.after.has_value(),
                       .by_name = filter.sort_by == SortBy::name,
                       .by_search = by_search,
                       .descending = filter.descending}],
            organization, filter.search, after.id, after.text, filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count[{.by_search = by_search}], organization, filter.search);
  const auto results = co_await database_.read(std::move(batch));
  Page page;
  for (auto& row : results.rows<RoleRow>(0)) page.roles.push_back(to_role(std::move(row)));
  page.total = results.one<std::int64_t>(1);
  co_return page;
}

awaitable<std::optional<VersionedRole>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  auto row = results.optional<model::Versioned<RoleRow>>();
  if (!row) co_return std::nullopt;
  co_return to_role(std::move(*row));
}

awaitable<model::Role> Store::create(pg::Transaction& transaction, authorization::Caller caller, NewRole role) {
  const auto now = co_await authorization::lock(transaction, caller, identity::Permission::create_organization_role);
  check_grants(now, role.permissions, {});
  co_await quotas_.require(transaction, caller.organization(), organizations::kRoles);
  const auto permissions = set_of(role.permissions);
  model::Role made{model::new_uuid(), std::move(role.name), std::move(role.description), permissions.names()};
  pg::Batch batch(sql::insert, caller.organization(), made.uniqueId, made.name, made.description, permissions.mask());
  audit::record(
      batch, caller.actor,
      {.action = AuditAction::RoleCreated, .subject_id = made.uniqueId, .subject = made.name, .after = kept(made)});
  co_await write(transaction, std::move(batch), made.name);
  co_return made;
}

awaitable<std::optional<Locked>> Store::lock(pg::Transaction& transaction, authorization::Caller caller, model::Uuid id,
                                             std::optional<identity::Permission> needed) {
  const auto now = co_await authorization::lock(transaction, caller, needed);
  const auto results = co_await transaction.run(pg::Batch(sql::find, caller.organization(), id));
  auto row = results.optional<model::Versioned<RoleRow>>();
  if (!row) co_return std::nullopt;
  const auto permissions = permissions_of(*row);
  co_return Locked{now, to_role(std::move(*row)), permissions};
}

awaitable<model::Role> Store::change(pg::Transaction& transaction, authorization::Caller caller, Locked locked,
                                     RoleChange change) {
  authorization::check_holds(locked.caller, locked.permissions, "");
  if (change.permissions) check_grants(locked.caller, *change.permissions, locked.permissions);
  const auto permissions = change.permissions ? set_of(*change.permissions) : locked.permissions;
  model::Role role{locked.role.uniqueId, change.name.value_or(locked.role.name),
                   change.description.value_or(locked.role.description), permissions.names()};
  const auto before = kept(locked.role), after = kept(role);
  if (before.text == after.text) co_return role;
  pg::Batch batch(sql::update, caller.organization(), role.uniqueId, role.name, role.description, permissions.mask());
  audit::record(batch, caller.actor,
                {.action = AuditAction::RoleUpdated,
                 .subject_id = role.uniqueId,
                 .subject = role.name,
                 .before = before,
                 .after = after});
  // Open invites of members with this role might grant rights that they have lost.
  if (!permissions.contains(locked.permissions)) batch.add(sql::revoke_invites, caller.organization(), role.uniqueId);
  // The whole organization, as any number of members may have the role.
  if (permissions != locked.permissions) authorization::announce(batch, {caller.organization(), {}, {}, {}});
  co_await write(transaction, std::move(batch), role.name);
  co_return role;
}

awaitable<void> Store::remove(pg::Transaction& transaction, authorization::Caller caller, Locked locked) {
  authorization::check_holds(locked.caller, locked.permissions, "");
  pg::Batch batch(sql::revoke_invites, caller.organization(), locked.role.uniqueId);
  batch.add(sql::remove, caller.organization(), locked.role.uniqueId);
  audit::record(batch, caller.actor,
                {.action = AuditAction::RoleDeleted,
                 .subject_id = locked.role.uniqueId,
                 .subject = locked.role.name,
                 .before = kept(locked.role)});
  authorization::announce(batch, {caller.organization(), {}, {}, {}});
  co_await transaction.run(std::move(batch));
}

}  // namespace parley::organizations::roles
