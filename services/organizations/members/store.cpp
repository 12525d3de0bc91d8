#include "organizations/members/store.hpp"

#include <algorithm>
#include <unordered_map>

#include "common/http/problem.hpp"
#include "organizations/members/rows.hpp"
#include "organizations/members/sql.hpp"

namespace parley::organizations::members {

awaitable<std::vector<model::OrganizationMember>> Store::summaries(model::Uuid organization,
                                                                   std::vector<model::Uuid> ids) {
  pg::Batch batch;
  batch.add(sql::summaries, organization, ids).add(sql::roles_of, organization, ids);
  const auto results = co_await database_.read(std::move(batch));
  auto members = results.rows<model::OrganizationMember>(0);
  std::unordered_map<model::Uuid, std::size_t> place;
  for (std::size_t i = 0; i < members.size(); ++i) place.emplace(members[i].uniqueId, i);
  for (auto& row : results.rows<MemberRoleRow>(1)) {
    const auto member = place.at(row.member_id);
    members[member].roles.push_back(to_role(std::move(row)));
  }
  co_return members;
}

awaitable<Enrolled> Store::create_owner(NewMember owner, std::string organization_name) {
  auto transaction = co_await database_.begin();
  const auto person = co_await ensure_person(transaction, owner);
  const auto owned = co_await transaction.run(pg::Batch(sql::find_owned, person, organization_name));
  if (const auto known = owned.optional<MembershipRow>())
    co_return Enrolled{known->organization_id, known->member_id, std::nullopt};

  const auto organization = model::new_uuid();
  const auto member = model::new_uuid();
  const auto key = identity::ApiKey::create(organization, model::new_uuid());
  pg::Batch batch;
  batch.add(sql::insert_organization, organization, organization_name);
  batch.add(sql::insert, organization, member, person, model::AccessLevel::Owner);
  batch.add(sql::insert_key, organization, key.credential_id, member, key.secret_hash());
  co_await transaction.commit(std::move(batch));
  co_return Enrolled{organization, member, key.text()};
}

awaitable<Enrolled> Store::add(model::Uuid organization, NewMember new_member) {
  auto transaction = co_await database_.begin();
  const auto person = co_await ensure_person(transaction, new_member);
  const auto roles = co_await find_roles(transaction, organization, new_member.roles);
  const auto member = model::new_uuid();
  const auto key = identity::ApiKey::create(organization, model::new_uuid());
  pg::Batch batch;
  batch.add(sql::insert, organization, member, person, new_member.access_level);
  batch.add(sql::insert_roles, organization, member, roles);
  batch.add(sql::insert_key, organization, key.credential_id, member, key.secret_hash());
  try {
    co_await transaction.commit(std::move(batch));
  } catch (const pg::SqlError& error) {
    if (error.is_foreign_key_violation("member_organization_id_fkey"))
      throw http::Problem{.status = 404, .detail = "there is no organization " + organization.text()};
    if (error.is_unique_violation("member_person"))
      throw http::Problem{.status = 409, .detail = new_member.email + " is a member of this organization already"};
    throw;
  }
  co_return Enrolled{organization, member, key.text()};
}

// The person with that address, made if new; locked until the transaction ends, so that two commands for one person
// take turns.
awaitable<model::Uuid> Store::ensure_person(pg::Transaction& transaction, const NewMember& member) {
  const auto results =
      co_await transaction.run(pg::Batch(sql::ensure_person, model::new_uuid(), member.email, member.name));
  co_return results.one<model::Uuid>();
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
  if (!missing.empty()) throw http::Problem{.status = 400, .detail = "there is no role named " + missing.front()};
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  co_return ids;
}

}  // namespace parley::organizations::members
