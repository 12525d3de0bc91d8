#include "organizations/members/store.hpp"

#include <algorithm>

#include "common/http/etag.hpp"
#include "organizations/authorization/sql.hpp"
#include "organizations/credentials/revocations.hpp"
#include "organizations/credentials/sql.hpp"
#include "organizations/members/rows.hpp"
#include "organizations/members/sql.hpp"
#include "organizations/roles/rows.hpp"
#include "organizations/users/ownership.hpp"

namespace parley::organizations::members {

using model::AccessLevel;
using model::AuditAction;

namespace {

constexpr std::size_t kMaxSummaries = 1 << 20;  // octets of the roles' texts, as in summaries.sql

pg::Batch find_batch(const model::Uuid& organization, const model::Uuid& id) {
  pg::Batch batch(sql::find, organization, id);
  batch.add(sql::roles_of, organization, id);
  return batch;
}

std::optional<VersionedMember> read_found(const pg::Results& results) {
  auto member = results.optional<VersionedMember>(0);
  if (!member) return std::nullopt;
  std::vector<model::Uuid> role_ids;
  for (auto& row : results.rows<roles::RoleRow>(1)) {
    role_ids.push_back(row.id);
    member->roles.push_back(roles::to_role(std::move(row)));
  }
  http::add_to_version(member->version, role_ids);
  return member;
}

model::RawJson kept(AccessLevel level, const std::vector<KeptRole>& roles) {
  return {model::to_json(KeptRights{level, roles})};
}

std::vector<KeptRole> kept_roles(const model::OrganizationMember& member) {
  std::vector<KeptRole> roles;
  for (const auto& role : member.roles) roles.push_back({role.uniqueId, role.name});
  return roles;
}

bool has_role(const model::OrganizationMember& member, const model::Uuid& id) {
  return std::any_of(member.roles.begin(), member.roles.end(), [&](const auto& role) { return role.uniqueId == id; });
}

identity::PermissionSet permissions_of(const model::Role& role) {
  identity::PermissionSet out;
  for (const auto& name : role.permissions)
    if (const auto permission = identity::parse_permission(name)) out.add(*permission);
  return out;
}

// Checks the member's new roles: the caller must hold what is added and what is taken away, not what stays.
awaitable<std::vector<KeptRole>> wanted_roles(pg::Transaction& transaction, model::Uuid organization,
                                              const Locked& locked, const std::vector<model::Uuid>& ids) {
  std::vector<authorization::Grant> grants;
  std::vector<KeptRole> roles;
  auto wanted = co_await authorization::find_roles(transaction, organization, ids);
  for (auto& role : wanted) {
    if (!has_role(locked.member, role.id)) grants.push_back(std::move(role.grant));
    roles.push_back({role.id, std::move(role.name)});
  }
  authorization::check_grants(locked.caller, grants);
  for (const auto& role : locked.member.roles)
    if (std::find(ids.begin(), ids.end(), role.uniqueId) == ids.end())
      authorization::check_holds(locked.caller, permissions_of(role), "/roles");
  co_return roles;
}

// Requires the organization to be locked, so that the number of Owners cannot change.
awaitable<void> check_not_last_owner(pg::Transaction& transaction, const model::Uuid& organization) {
  const auto results = co_await transaction.run(pg::Batch(sql::count_owners, organization));
  if (results.one<std::int64_t>() > 1) co_return;
  throw http::Problem(
      {.status = 409, .detail = "this is the organization's last Owner: make another member an Owner first"});
}

// A token for the first password, unless the person has one.
awaitable<std::optional<std::string>> token_for(pg::Transaction& transaction, users::Holder person) {
  if (person.has_password) co_return std::nullopt;
  auto issued = co_await users::issue_token(transaction, person.id);
  co_return std::move(issued.passwordToken);
}

}  // namespace

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  const bool by_search = !filter.search.empty();
  const bool by_level = filter.access_level.has_value();
  const bool by_role = filter.role_id.has_value();
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.after.has_value(),
                       .by_email = filter.sort_by == SortBy::email,
                       .by_level = by_level,
                       .by_name = filter.sort_by == SortBy::name,
                       .by_role = by_role,
                       .by_search = by_search,
                       .descending = filter.descending}],
            organization, filter.search, filter.access_level, filter.role_id, after.id, after.text,
            filter.paging.per_page, filter.paging.skip);
  batch.add(sql::count[{.by_level = by_level, .by_role = by_role, .by_search = by_search}], organization, filter.search,
            filter.access_level, filter.role_id);
  const auto results = co_await database_.read(std::move(batch));
  auto shown = co_await roles::show<PageMember>(database_, organization, results.rows<PageRow>(0));
  co_return Page{std::move(shown), results.one<std::int64_t>(1)};
}

awaitable<std::optional<VersionedMember>> Store::find(model::Uuid organization, model::Uuid id) {
  co_return read_found(co_await database_.read(find_batch(organization, id)));
}

awaitable<roles::Shown<PageMember>> Store::summaries(model::Uuid organization, std::vector<model::Uuid> ids) {
  const auto results = co_await database_.read(pg::Batch(sql::summaries, organization, ids));
  co_return co_await roles::show<PageMember>(database_, organization, results.rows<PageRow>(), kMaxSummaries);
}

awaitable<std::optional<Locked>> Store::lock(pg::Transaction& transaction, authorization::Caller caller, model::Uuid id,
                                             std::optional<identity::Permission> needed) {
  const auto now = co_await authorization::lock(transaction, caller, needed);
  auto member = read_found(co_await transaction.run(find_batch(caller.organization(), id)));
  if (!member) co_return std::nullopt;
  co_return Locked{now, std::move(*member)};
}

awaitable<model::OrganizationMember> Store::change(pg::Transaction& transaction, authorization::Caller caller,
                                                   Locked locked, UpdateMember change) {
  const auto& organization = caller.organization();
  const auto& member = locked.member;
  const auto level = change.accessLevel.value_or(member.accessLevel);
  authorization::check_level(locked.caller, member.accessLevel, "");
  authorization::check_level(locked.caller, level, "/accessLevel");
  auto roles = kept_roles(member);
  const auto before = kept(member.accessLevel, roles);
  if (change.roles) roles = co_await wanted_roles(transaction, organization, locked, *change.roles);
  const auto after = kept(level, roles);
  if (before.text == after.text) co_return member;
  if (member.accessLevel == AccessLevel::Owner && level != AccessLevel::Owner)
    co_await check_not_last_owner(transaction, organization);
  if (ownership_ && member.accessLevel != AccessLevel::Owner && level == AccessLevel::Owner) {
    const auto person = co_await transaction.run(pg::Batch(sql::person_of, organization, member.uniqueId));
    co_await ownership_->require(transaction, person.one<model::Uuid>());
  }

  std::vector<model::Uuid> role_ids;
  for (const auto& role : roles) role_ids.push_back(role.uniqueId);
  pg::Batch batch;
  batch.add(sql::set_level, organization, member.uniqueId, level);
  batch.add(sql::clear_roles, organization, member.uniqueId);
  batch.add(sql::insert_roles, organization, member.uniqueId, role_ids);
  // Open invites of this member might grant rights that the member has lost.
  batch.add(sql::revoke_invites, organization, member.uniqueId);
  audit::record(batch, caller.actor,
                {.action = AuditAction::MemberUpdated,
                 .subject_id = member.uniqueId,
                 .subject = member.email,
                 .before = before,
                 .after = after});
  authorization::announce(batch, {organization, member.uniqueId, {}, {}});
  co_await transaction.run(std::move(batch));
  co_return read_found(co_await transaction.run(find_batch(organization, member.uniqueId))).value();
}

awaitable<void> Store::remove(pg::Transaction& transaction, authorization::Caller caller, Locked locked) {
  const auto& organization = caller.organization();
  const auto& member = locked.member;
  authorization::check_level(locked.caller, member.accessLevel, "");
  if (member.accessLevel == AccessLevel::Owner) co_await check_not_last_owner(transaction, organization);
  const auto owned = co_await transaction.run(pg::Batch(credentials::sql::of_member, organization, member.uniqueId));
  pg::Batch batch;
  audit::record(batch, caller.actor,
                {.action = AuditAction::MemberRemoved,
                 .subject_id = member.uniqueId,
                 .subject = member.email,
                 .before = kept(member.accessLevel, kept_roles(member))});
  batch.add(sql::revoke_invites, organization, member.uniqueId);
  batch.add(sql::remove, organization, member.uniqueId);
  authorization::announce(batch, {organization, member.uniqueId, {}, {}});
  co_await transaction.run(std::move(batch));
  // The member's keys are deleted by cascade; keys created with them in other organizations must end, too.
  co_await credentials::revoke_made_with(transaction, owned.rows<model::Uuid>(), caller.actor);
}

awaitable<Enrolled> Store::create_owner(NewMember owner, std::string organization_name) {
  auto transaction = co_await database_.begin();
  const auto person = co_await users::hold(transaction, owner.email, owner.name, "create-owner");
  const auto owned = co_await transaction.run(pg::Batch(sql::find_owned, person.id, organization_name));
  if (const auto known = owned.optional<MembershipRow>())
    co_return Enrolled{known->organization_id, known->member_id, std::nullopt};

  const auto organization = model::new_uuid();
  const auto member = model::new_uuid();
  const auto key = identity::ApiKey::create(organization, model::new_uuid());
  pg::Batch batch;
  batch.add(sql::insert_organization, organization, organization_name);
  batch.add(sql::insert, organization, member, person.id, AccessLevel::Owner);
  batch.add(sql::insert_key, organization, key.credential_id, member, key.secret_hash());
  audit::record(batch, {organization, {}, {}, {}, "create-owner"},
                {.action = AuditAction::OrganizationCreated, .subject_id = organization, .subject = organization_name});
  auto token = co_await token_for(transaction, person);
  co_await transaction.commit(std::move(batch));
  co_return Enrolled{organization, member, key.text(), std::move(token), person.is_taken_over};
}

awaitable<Enrolled> Store::add(model::Uuid organization, NewMember new_member) {
  auto transaction = co_await database_.begin();
  const auto there = co_await transaction.run(pg::Batch(authorization::sql::lock_organization, organization));
  if (there.row_count() == 0)
    throw http::Problem({.status = 404, .detail = "there is no organization " + organization.text()});
  const auto person = co_await users::hold(transaction, new_member.email, new_member.name, "add-member");
  const auto roles = co_await find_roles(transaction, organization, new_member.roles);
  const auto member = model::new_uuid();
  const auto key = identity::ApiKey::create(organization, model::new_uuid());
  pg::Batch batch;
  batch.add(sql::insert, organization, member, person.id, new_member.access_level);
  batch.add(sql::insert_roles, organization, member, roles);
  batch.add(sql::insert_key, organization, key.credential_id, member, key.secret_hash());
  audit::record(batch, {organization, {}, {}, {}, "add-member"},
                {.action = AuditAction::MemberJoined, .subject_id = member, .subject = new_member.email});
  authorization::announce(batch, {organization, {}, person.id, {}});
  auto token = co_await token_for(transaction, person);
  try {
    co_await transaction.commit(std::move(batch));
  } catch (const pg::SqlError& error) {
    if (error.is_unique_violation("member_person"))
      throw http::Problem({.status = 409, .detail = new_member.email + " is a member of this organization already"});
    throw;
  }
  co_return Enrolled{organization, member, key.text(), std::move(token), person.is_taken_over};
}

awaitable<std::vector<model::Uuid>> Store::find_roles(pg::Transaction& transaction, model::Uuid organization,
                                                      const std::vector<std::string>& names) {
  std::vector<model::Uuid> ids;
  if (names.empty()) co_return ids;
  const auto results = co_await transaction.run(pg::Batch(sql::find_roles, organization, names));
  std::vector<std::string> missing = names;
  for (const auto& row : results.rows<NamedRow>()) {
    std::erase(missing, row.name);
    ids.push_back(row.id);
  }
  if (!missing.empty()) throw http::Problem({.status = 400, .detail = "there is no role named " + missing.front()});
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  co_return ids;
}

}  // namespace parley::organizations::members
