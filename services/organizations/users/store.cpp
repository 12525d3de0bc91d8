#include "organizations/users/store.hpp"

#include "common/http/problem.hpp"
#include "organizations/members/sql.hpp"
#include "organizations/sessions/store.hpp"
#include "organizations/users/sql.hpp"

namespace parley::organizations::users {

namespace {

pg::Batch profile_batch(const model::Uuid& person) {
  return pg::Batch(sql::find, person).add(sql::memberships, person);
}

std::optional<Profile> profile_of(const pg::Results& results) {
  auto row = results.optional<UserRow>(0);
  if (!row) return std::nullopt;
  User user{row->uniqueId, std::move(row->name), std::move(row->email), row->createdAt, row->hasPassword, {}};
  if (row->second_factor_at) user.secondFactor = {*row->second_factor_at, row->recovery_codes};
  return Profile{std::move(user), results.rows<Membership>(1)};
}

}  // namespace

awaitable<std::optional<AccountRow>> Store::find_account(std::string email) {
  const auto results = co_await database_.read(pg::Batch(sql::find_by_email, email));
  co_return results.optional<AccountRow>();
}

awaitable<std::optional<AccountRow>> Store::find_account(model::Uuid person) {
  const auto results = co_await database_.read(pg::Batch(sql::find_account, person));
  co_return results.optional<AccountRow>();
}

awaitable<AddressRow> Store::find_address(std::string email) {
  const auto results = co_await database_.read(pg::Batch(sql::find_for_mail, email));
  co_return results.one<AddressRow>();
}

awaitable<std::optional<Profile>> Store::profile(model::Uuid person) {
  const auto results = co_await database_.read(profile_batch(person));
  co_return profile_of(results);
}

awaitable<std::optional<Profile>> Store::profile(pg::Transaction& transaction, model::Uuid person) {
  const auto results = co_await transaction.run(profile_batch(person));
  co_return profile_of(results);
}

awaitable<model::Uuid> Store::create(pg::Transaction& transaction, NewPerson person, audit::Actor from) {
  const auto id = model::new_uuid();
  const auto results =
      co_await transaction.run(pg::Batch(sql::insert, id, person.email, person.name, person.password_hash));
  if (results.row_count() == 0)
    throw http::Problem({.status = 409,
                         .detail = "there is an account with this e-mail address",
                         .errors = {{"/email", "has an account already"}}});
  if (!person.organization_name) co_return id;
  const auto organization = model::new_uuid(), member = model::new_uuid();
  from.organization_id = organization;
  from.member_id = member;
  pg::Batch batch;
  batch.add(members::sql::insert_organization, organization, *person.organization_name);
  batch.add(members::sql::insert, organization, member, id, model::AccessLevel::Owner);
  audit::record(batch, from,
                {.action = model::AuditAction::OrganizationCreated,
                 .subject_id = organization,
                 .subject = *person.organization_name});
  co_await transaction.run(std::move(batch));
  co_return id;
}

awaitable<void> Store::change(pg::Transaction& transaction, model::Uuid person, std::optional<std::string> name,
                              std::optional<PasswordChange> password, audit::Actor from) {
  pg::Batch batch;
  if (password) batch.add(sql::set_password, person, password->old_hash, password->hash);
  if (password) sessions::Store::close_others(batch, person, password->kept_session);
  if (password)
    audit::record_of_person(batch, person, audit::By::themselves, from, model::AuditAction::PasswordChanged);
  if (name) batch.add(sql::rename, person, *name);
  if (batch.empty()) co_return;
  const auto results = co_await transaction.run(std::move(batch));
  if (password && results.affected(0) == 0)
    throw http::Problem({.status = 409, .detail = "the password was changed by another request meanwhile"});
}

}  // namespace parley::organizations::users
