#include "organizations/credentials/store.hpp"

#include <charconv>

#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/credentials/rows.hpp"
#include "organizations/credentials/sql.hpp"

namespace parley::organizations::credentials {

namespace {

http::Problem bad_key() {
  return http::Problem{.status = 401,
                       .detail = "a valid credential is needed",
                       .errors = {{"/key", "is not good"}},
                       .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n"};
}

http::Problem no_member() {
  return http::Problem{.status = 403,
                       .detail = "X-Organization-Id names no organization that you are a member of",
                       .errors = {{"/organizationId", "the key's person is no member of it"}}};
}

std::string to_hex(std::uint64_t mask) {
  char digits[16];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, mask, 16).ptr);
}

}  // namespace

identity::PermissionSet permissions_of(model::AccessLevel level, identity::PermissionSet of_roles) {
  if (level == model::AccessLevel::Member) return of_roles;
  auto all = identity::PermissionSet::all();
  if (level == model::AccessLevel::Admin) all.remove(identity::Permission::delete_organization);
  return all;
}

awaitable<model::ApiKey> Store::regenerate(model::Uuid organization, model::Uuid member) {
  const auto key = identity::ApiKey::create(organization, model::new_uuid());
  pg::Batch batch;
  batch.add(sql::lock_member, organization, member);
  batch.add(sql::revoke_default, organization, member);
  batch.add(sql::insert_default, organization, member, key.credential_id, key.secret_hash());
  const auto results = co_await database_.write(std::move(batch));
  const auto created_at = results.optional<model::Timestamp>(2);
  if (!created_at) throw http::Problem{.status = 403, .detail = "you are no member of this organization any more"};
  co_return model::ApiKey{key.credential_id, key.text(), *created_at};
}

awaitable<Verdict> Store::verify(PresentedKey key, std::optional<model::Uuid> organization) {
  const auto acting_in = organization.value_or(key.organizationId);
  pg::Batch batch(sql::find_key, key.organizationId, key.credentialId, acting_in);
  const auto results = co_await database_.read(std::move(batch));
  const auto row = results.optional<KeyRow>();
  // An unknown key costs the same comparison.
  static const std::string nobody(32, '\0');
  const auto presented = identity::from_hex(key.secretSha256);
  const bool same = identity::equal_in_constant_time(presented.value_or(""), row ? row->secret_hash : nobody);
  if (!row || !same) throw bad_key();
  if (!row->member_id || !row->person_id || !row->access_level) throw no_member();
  const identity::PermissionSet of_roles(static_cast<std::uint64_t>(row->permissions));
  const auto permissions = permissions_of(*row->access_level, of_roles);
  co_return Verdict{
      {acting_in, *row->member_id, *row->person_id, *row->access_level, to_hex(permissions.mask()), key.credentialId},
      row->use_is_due};
}

awaitable<void> Store::note_use(model::Uuid organization, model::Uuid credential) {
  co_await database_.write(pg::Batch(sql::note_use, organization, credential));
}

}  // namespace parley::organizations::credentials
