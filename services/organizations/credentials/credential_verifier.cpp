#include "organizations/credentials/credential_verifier.hpp"

#include <charconv>

#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "organizations/credentials/rows.hpp"
#include "organizations/credentials/sql.hpp"

namespace parley::organizations::credentials {

namespace {

http::Problem bad_credential() {
  return http::Problem({.status = 401,
                        .detail = "a valid credential is needed",
                        .errors = {{"/key", "is not good"}},
                        .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n"});
}

http::Problem no_member() {
  return http::Problem({.status = 403,
                        .detail = "X-Organization-Id names no organization that you are a member of",
                        .errors = {{"/organizationId", "the credential's person is no member of it"}}});
}

std::string to_hex(std::uint64_t mask) {
  char digits[16];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, mask, 16).ptr);
}

template <class Row>
void check_secret(const std::optional<Row>& row, const std::string& presented_hex) {
  // Compares for unknown credentials too, so that timing reveals nothing.
  static const std::string nobodys(32, '\0');
  const auto presented = identity::from_hex(presented_hex);
  const bool same = identity::equal_in_constant_time(presented.value_or(""), row ? row->secret_hash : nobodys);
  if (!row || !same) throw bad_credential();
}

template <class Row>
std::string mask_of(const Row& row) {
  const identity::PermissionSet of_roles(static_cast<std::uint64_t>(row.permissions));
  return to_hex(permissions_of(*row.access_level, of_roles).mask());
}

}  // namespace

identity::PermissionSet permissions_of(model::AccessLevel level, identity::PermissionSet of_roles) {
  if (level == model::AccessLevel::Member) return of_roles;
  auto all = identity::PermissionSet::all();
  if (level == model::AccessLevel::Admin) all.remove(identity::Permission::delete_organization);
  return all;
}

awaitable<Verdict> CredentialVerifier::verify(PresentedKey key, std::optional<model::Uuid> organization) {
  const auto acting_in = organization.value_or(key.organizationId);
  const auto results =
      co_await database_.read(pg::Batch(sql::find_key, key.organizationId, key.credentialId, acting_in));
  const auto row = results.optional<KeyRow>();
  check_secret(row, key.secretSha256);
  if (!row->member_id || !row->access_level) throw no_member();
  if (row->lacks_second_factor)
    co_return Verdict{{{},
                       {},
                       row->person_id,
                       model::AccessLevel::Member,
                       "0",
                       key.credentialId,
                       key.organizationId,
                       row->holder_id,
                       row->milliseconds,
                       true},
                      row->use_is_due};
  co_return Verdict{{acting_in,
                     *row->member_id,
                     row->person_id,
                     *row->access_level,
                     mask_of(*row),
                     key.credentialId,
                     key.organizationId,
                     row->holder_id,
                     row->milliseconds,
                     {}},
                    row->use_is_due};
}

awaitable<Verdict> CredentialVerifier::verify(PresentedSession session, std::optional<model::Uuid> organization) {
  const auto row = co_await sessions_.find(session.sessionId, organization);
  check_secret(row, session.secretSha256);
  Verdict verdict{
      {{}, {}, row->person_id, model::AccessLevel::Member, "0", session.sessionId, {}, {}, row->milliseconds, {}},
      row->use_is_due};
  if (row->lacks_second_factor) {
    verdict.verified.lacksSecondFactor = true;
  } else if (row->member_id) {
    verdict.verified.organizationId = row->organization_id.value();
    verdict.verified.memberId = *row->member_id;
    verdict.verified.accessLevel = row->access_level.value();
    verdict.verified.permissions = mask_of(*row);
  } else if (organization) {
    throw no_member();
  }
  co_return verdict;
}

awaitable<void> CredentialVerifier::note_use(PresentedKey key) {
  co_await database_.write(pg::Batch(sql::note_use, key.organizationId, key.credentialId));
}

awaitable<void> CredentialVerifier::note_use(PresentedSession session) {
  co_await sessions_.note_use(session.sessionId);
}

}  // namespace parley::organizations::credentials
