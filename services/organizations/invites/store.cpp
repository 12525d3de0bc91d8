#include "organizations/invites/store.hpp"

#include "common/http/etag.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/authorization/sql.hpp"
#include "organizations/invites/sql.hpp"
#include "organizations/members/rows.hpp"
#include "organizations/members/sql.hpp"
#include "organizations/roles/rows.hpp"
#include "organizations/users/sql.hpp"

namespace parley::organizations::invites {

using model::AuditAction;

namespace {

constexpr std::int64_t kLifeSeconds = 7 * 24 * 3600;

pg::Batch find_batch(const model::Uuid& organization, const model::Uuid& id) {
  pg::Batch batch;
  batch.add(sql::find, organization, id).add(sql::roles_of, organization, id);
  return batch;
}

std::optional<VersionedInvite> read_found(const pg::Results& results) {
  auto invite = results.optional<VersionedInvite>(0);
  if (!invite) return std::nullopt;
  std::vector<model::Uuid> role_ids;
  for (auto& row : results.rows<roles::RoleRow>(1)) {
    role_ids.push_back(row.id);
    invite->roles.push_back(roles::to_role(std::move(row)));
  }
  http::add_to_version(invite->version, role_ids);
  return invite;
}

model::RawJson kept(const Invite& invite) {
  members::KeptRights rights{invite.accessLevel, {}};
  for (const auto& role : invite.roles) rights.roles.push_back({role.uniqueId, role.name});
  return {model::to_json(rights)};
}

// Takes equally long for an unknown invite and a wrong secret.
bool fits(const Token& token, const std::optional<OpenRow>& row) {
  static const std::string nobody(32, '\0');
  const bool same = identity::equal_in_constant_time(token.secret_hash(), row ? row->secret_hash : nobody);
  return row && same;
}

// True if the inviter could still grant this invite. Requires the organization to be locked.
awaitable<bool> is_still_granted(pg::Transaction& transaction, const model::Uuid& organization, const OpenRow& invite) {
  const auto inviter = co_await authorization::find(transaction, organization, invite.invited_by);
  const identity::PermissionSet granted(static_cast<std::uint64_t>(invite.permissions));
  co_return inviter && inviter->permissions.has(identity::Permission::create_organization_member) &&
      invite.access_level >= inviter->level && inviter->permissions.contains(granted);
}

http::Problem member_already(const std::string& email) {
  return http::Problem({.status = 409, .detail = email + " is a member of this organization already"});
}

// Returns the accepting person: the existing one, if the invite is addressed to it, or a new one.
awaitable<model::Uuid> person_of(pg::Transaction& transaction, const Joiner& joiner, const OpenRow& invite,
                                 const audit::Actor& actor) {
  if (const auto* known = std::get_if<model::Uuid>(&joiner)) {
    co_await authorization::require_live(transaction, *known, actor.credential_id);
    const auto results = co_await transaction.run(pg::Batch(sql::is_addressee, *known, invite.email));
    if (results.one<bool>()) co_return *known;
    throw http::Problem({.status = 403, .detail = "this invitation is addressed to somebody else: sign in as them"});
  }
  const auto& account = std::get<NewAccount>(joiner);
  const auto results = co_await transaction.run(
      pg::Batch(users::sql::insert, model::new_uuid(), invite.email, account.name, account.password_hash));
  if (const auto made = results.optional<model::Uuid>()) co_return *made;
  throw http::Problem(
      {.status = 409,
       .detail = "there is an account with the address of this invitation: sign in, and accept it then; if it is "
                 "not yours, who operates this service can give the address back to you"});
}

}  // namespace

http::Problem bad_token() {
  return http::Problem({.status = 400,
                        .detail =
                            "this invitation cannot be accepted: it is unknown, expired, was revoked or was accepted "
                            "before, or who made it may not invite any more",
                        .errors = {{"/token", "cannot be accepted"}}});
}

awaitable<Page> Store::list(model::Uuid organization, Filter filter) {
  const bool by_search = !filter.search.empty();
  const bool by_status = filter.status.has_value();
  const auto after = filter.after.value_or(http::Cursor{});
  pg::Batch batch;
  batch.add(sql::page[{.after = filter.after.has_value(),
                       .by_email = filter.sort_by == SortBy::email,
                       .by_search = by_search,
                       .by_status = by_status,
                       .descending = filter.descending}],
            organization, filter.search, filter.status, after.id, after.text, filter.paging.per_page,
            filter.paging.skip);
  batch.add(sql::count[{.by_search = by_search, .by_status = by_status}], organization, filter.search, filter.status);
  const auto results = co_await database_.read(std::move(batch));
  auto shown = co_await roles::show<PageInvite>(database_, organization, results.rows<PageRow>(0));
  co_return Page{std::move(shown), results.one<std::int64_t>(1)};
}

awaitable<std::optional<VersionedInvite>> Store::find(model::Uuid organization, model::Uuid id) {
  co_return read_found(co_await database_.read(find_batch(organization, id)));
}

awaitable<Created> Store::create(pg::Transaction& transaction, authorization::Caller caller, NewInvite invite) {
  const auto& organization = caller.organization();
  const auto now = co_await authorization::lock(transaction, caller, identity::Permission::create_organization_member);
  authorization::check_level(now, invite.access_level, "/accessLevel");
  std::vector<model::Uuid> roles;
  std::vector<authorization::Grant> grants;
  auto wanted = co_await authorization::find_roles(transaction, organization, std::move(invite.roles));
  for (auto& role : wanted) {
    roles.push_back(role.id);
    grants.push_back(std::move(role.grant));
  }
  authorization::check_grants(now, grants);
  co_await quotas_.require(transaction, organization, organizations::kInvitations);

  const auto token = Token::create(organization, model::new_uuid());
  pg::Batch batch(sql::has_member, organization, invite.email);
  batch.add(sql::remove_expired, organization, invite.email);
  batch.add(sql::insert, organization, token.invite_id, invite.email, invite.access_level, token.secret_hash(),
            caller.member(), kLifeSeconds);
  batch.add(sql::insert_roles, organization, token.invite_id, roles);
  const auto results = co_await transaction.run(std::move(batch));
  if (results.one<bool>(0)) throw member_already(invite.email);
  if (results.affected(2) == 0)
    throw http::Problem({.status = 409,
                         .detail = invite.email + " has an invitation that is open: revoke it to make another",
                         .errors = {{"/email", "has an open invitation"}}});
  auto made = read_found(co_await transaction.run(find_batch(organization, token.invite_id))).value();
  pg::Batch rest;
  audit::record(rest, caller.actor,
                {.action = AuditAction::InviteCreated,
                 .subject_id = token.invite_id,
                 .subject = invite.email,
                 .after = kept(made)});
  co_await transaction.run(std::move(rest));
  co_return Created{std::move(made), token};
}

awaitable<std::optional<VersionedInvite>> Store::lock(pg::Transaction& transaction, authorization::Caller caller,
                                                      model::Uuid id) {
  co_await authorization::lock(transaction, caller, identity::Permission::create_organization_member);
  co_return read_found(co_await transaction.run(find_batch(caller.organization(), id)));
}

awaitable<void> Store::revoke(pg::Transaction& transaction, authorization::Caller caller, Invite locked) {
  if (locked.status == Status::Accepted)
    throw http::Problem({.status = 409, .detail = "this invitation was accepted: remove the member instead"});
  pg::Batch batch(sql::remove, caller.organization(), locked.uniqueId);
  audit::record(batch, caller.actor,
                {.action = AuditAction::InviteRevoked,
                 .subject_id = locked.uniqueId,
                 .subject = locked.email,
                 .before = kept(locked)});
  co_await transaction.run(std::move(batch));
}

awaitable<void> Store::check(Token token) {
  const auto results = co_await database_.read(pg::Batch(sql::find_open, token.organization_id, token.invite_id));
  if (!fits(token, results.optional<OpenRow>())) throw bad_token();
}

awaitable<JoinResponse> Store::accept(pg::Transaction& transaction, Token token, Joiner joiner, audit::Actor actor) {
  const auto& organization = token.organization_id;
  pg::Batch locking(authorization::sql::lock_organization, organization);  // first, as in all changes of rights
  locking.add(sql::find_open, organization, token.invite_id);
  const auto found = co_await transaction.run(std::move(locking));
  const auto invite = found.optional<OpenRow>(1);
  if (!fits(token, invite) || found.row_count(0) == 0) throw bad_token();
  const bool granted = co_await is_still_granted(transaction, organization, *invite);
  if (!granted) throw bad_token();
  const auto person = co_await person_of(transaction, joiner, *invite, actor);
  co_await quotas_.require(transaction, organization, organizations::kMembers);
  if (ownership_ && invite->access_level == model::AccessLevel::Owner)
    co_await ownership_->require(transaction, person);

  const auto member = model::new_uuid();
  pg::Batch batch(sql::insert_member, organization, member, person, invite->access_level);
  batch.add(sql::insert_member_roles, organization, token.invite_id, member);
  batch.add(sql::accept, organization, token.invite_id);
  batch.add(members::sql::find, organization, member).add(members::sql::roles_of, organization, member);
  const auto results = co_await transaction.run(std::move(batch));
  if (results.affected(0) == 0) throw member_already(invite->email);
  JoinResponse answer{{organization, invite->organization_name}, results.one<members::VersionedMember>(3), person};
  members::KeptRights rights{invite->access_level, {}};
  for (auto& row : results.rows<roles::RoleRow>(4)) {
    rights.roles.push_back({row.id, row.name});
    answer.member.roles.push_back(roles::to_role(std::move(row)));
  }

  actor.organization_id = organization;
  actor.member_id = member;
  pg::Batch rest;
  audit::record(rest, actor,
                {.action = AuditAction::MemberJoined,
                 .subject_id = member,
                 .subject = answer.member.email,
                 .after = model::RawJson{model::to_json(rights)}});
  authorization::announce(rest, {organization, {}, person, {}});
  co_await transaction.run(std::move(rest));
  co_return answer;
}

}  // namespace parley::organizations::invites
