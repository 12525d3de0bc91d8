#pragma once
// What other services ask organizations.
#include "common/chassis/operation.hpp"
#include "common/model/organization.hpp"

namespace parley::contracts::organizations {

// One of them.
struct AccountQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::string> phone_number_id;
};
BOOST_DESCRIBE_STRUCT(AccountQuery, (), (organization_id, phone_number_id))

// What an organization sends through, its secrets open.
struct Account {
  model::Uuid organizationId;
  std::string businessAccountId, phoneNumberId;  // the channel's ids: digits
  std::string displayPhoneNumber, verifiedName;  // for people
  std::string accessToken;                       // never to be logged
  std::string webhookSecret;                     // of the organization's own webhook URL: see VerifyToken
  bool operator==(const Account&) const = default;
};
BOOST_DESCRIBE_STRUCT(Account, (),
                      (organizationId, businessAccountId, phoneNumberId, displayPhoneNumber, verifiedName, accessToken,
                       webhookSecret))

// 404: none is connected there.
inline constexpr chassis::Get<AccountQuery, Account> account{
    .caller = "conversations", .path = "/internal/accounts", .answer_time = std::chrono::seconds(2), .is_secret = true};

// What whoever asks for an organization's own webhook URL proves to be the channel with.
struct VerifyToken {
  std::string verifyToken;
};
BOOST_DESCRIBE_STRUCT(VerifyToken, (), (verifyToken))

// Of the organization {id}. 404: it has never begun to connect an account.
inline constexpr chassis::Get<chassis::Nothing, VerifyToken> verify_token{
    .caller = "conversations",
    .path = "/internal/accounts/{id}/verify-token",
    .answer_time = std::chrono::seconds(2),
    .is_secret = true};

struct MembersQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::vector<model::Uuid>> member_ids;
};
BOOST_DESCRIBE_STRUCT(MembersQuery, (), (organization_id, member_ids))

// A model::OrganizationMember whose roles are JSON already.
struct Member {
  model::Uuid uniqueId;
  model::Timestamp createdAt;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
  std::string name;
  std::string email;
  model::RawJson roles{"[]"};
};
BOOST_DESCRIBE_STRUCT(Member, (), (uniqueId, createdAt, accessLevel, name, email, roles))

inline constexpr chassis::Get<MembersQuery, chassis::Lines<Member>> members{
    .caller = "conversations", .path = "/internal/members/summaries", .answer_time = chassis::kPartTime};

// What a key's text says (identity::ApiKey), with the hash of its secret in place of the secret.
struct PresentedKey {
  model::Uuid organizationId;  // that the key is of
  model::Uuid credentialId;
  std::string secretSha256;  // 64 lower-case hexadecimal digits
};
BOOST_DESCRIBE_STRUCT(PresentedKey, (), (organizationId, credentialId, secretSha256))

// What a session's token says, likewise (identity::SessionToken).
struct PresentedSession {
  model::Uuid sessionId;
  std::string secretSha256;
};
BOOST_DESCRIBE_STRUCT(PresentedSession, (), (sessionId, secretSha256))

// A key or a session.
struct Verify {
  std::optional<PresentedKey> key;
  std::optional<PresentedSession> session;
  // X-Organization-Id: where to act, if not in the key's own organization, or in the one that the session's person came
  // to first.
  std::optional<model::Uuid> organizationId;
};
BOOST_DESCRIBE_STRUCT(Verify, (), (key, session, organizationId))

// Who acts, and where.
struct Verified {
  model::Uuid organizationId;  // where to act; nil for a session whose person is a member of none
  model::Uuid memberId;        // of that organization; nil likewise
  model::Uuid personId;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
  std::string permissions;  // identity::PermissionSet's mask in hexadecimal digits
  model::Uuid credentialId;
  std::optional<model::Uuid> homeId;      // the organization that a key is of
  std::optional<model::Uuid> holderId;    // and the member there that it belongs to
  std::optional<std::int64_t> goodForMs;  // until the credential expires; null: it does not
};
BOOST_DESCRIBE_STRUCT(Verified, (),
                      (organizationId, memberId, personId, accessLevel, permissions, credentialId, homeId, holderId,
                       goodForMs))

// 401 at /key: the credential is not good. 403: its person is no member of the organization.
inline constexpr chassis::Post<Verify, Verified> verify{
    .caller = "gateway", .path = "/internal/credentials/verify", .answer_time = std::chrono::seconds(2)};

}  // namespace parley::contracts::organizations
