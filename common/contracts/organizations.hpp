#pragma once
// Operations of organizations that other services call.
#include "common/chassis/operation.hpp"
#include "common/model/organization.hpp"

namespace parley::contracts::organizations {

// The field of an answer that opened or ended a session: the value of the gateway's cookie, `TOKEN; Max-Age=SECONDS`.
inline constexpr std::string_view kSessionField = "Parley-Session";
inline constexpr std::string_view kNoSession = "; Max-Age=0";

// Exactly one of the two is set.
struct AccountQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::string> phone_number_id;
};
BOOST_DESCRIBE_STRUCT(AccountQuery, (), (organization_id, phone_number_id))

// The channel account of an organization, with decrypted secrets.
struct Account {
  model::Uuid organizationId;
  std::string businessAccountId, phoneNumberId;  // the channel's ids: digits
  std::string displayPhoneNumber, verifiedName;  // for display
  std::string accessToken;                       // must never be logged
  std::string webhookSecret;                     // for the organization's own webhook URL: see VerifyToken
  bool operator==(const Account&) const = default;
};
BOOST_DESCRIBE_STRUCT(Account, (),
                      (organizationId, businessAccountId, phoneNumberId, displayPhoneNumber, verifiedName, accessToken,
                       webhookSecret))

// 404: no account is connected.
inline constexpr chassis::Get<AccountQuery, Account> account{
    .caller = "conversations", .path = "/internal/accounts", .answer_time = std::chrono::seconds(2), .is_secret = true};

struct BusinessAccountQuery {
  std::optional<std::string> business_account_id;
};
BOOST_DESCRIBE_STRUCT(BusinessAccountQuery, (), (business_account_id))

struct BusinessAccountOwners {
  std::vector<model::Uuid> organizationIds;
};
BOOST_DESCRIBE_STRUCT(BusinessAccountOwners, (), (organizationIds))

// The organizations that send through a business account: several may, with numbers of their own.
inline constexpr chassis::Get<BusinessAccountQuery, BusinessAccountOwners> business_account_owners{
    .caller = "conversations", .path = "/internal/accounts/owners", .answer_time = std::chrono::seconds(2)};

// The token by which the channel proves itself when it verifies an organization's own webhook URL.
struct VerifyToken {
  std::string verifyToken;
};
BOOST_DESCRIBE_STRUCT(VerifyToken, (), (verifyToken))

// For the organization {id}. 404: the organization never began to connect an account.
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

// A model::OrganizationMember whose roles are already JSON.
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

// The content of an API key's text (identity::ApiKey), with a hash in place of the secret.
struct PresentedKey {
  model::Uuid organizationId;  // the key's organization
  model::Uuid credentialId;
  std::string secretSha256;  // 64 lower-case hexadecimal digits
};
BOOST_DESCRIBE_STRUCT(PresentedKey, (), (organizationId, credentialId, secretSha256))

// The content of a session's token, with a hash in place of the secret (identity::SessionToken).
struct PresentedSession {
  model::Uuid sessionId;
  std::string secretSha256;
};
BOOST_DESCRIBE_STRUCT(PresentedSession, (), (sessionId, secretSha256))

// Either a key or a session.
struct Verify {
  std::optional<PresentedKey> key;
  std::optional<PresentedSession> session;
  // X-Organization-Id: the organization to act in. Default: the key's own organization, or the one that the session's
  // person joined first.
  std::optional<model::Uuid> organizationId;
};
BOOST_DESCRIBE_STRUCT(Verify, (), (key, session, organizationId))

// The verified caller and its organization.
struct Verified {
  model::Uuid organizationId;  // to act in; nil for a session of a person without an organization
  model::Uuid memberId;        // of that organization; nil likewise
  model::Uuid personId;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
  std::string permissions;  // identity::PermissionSet's mask in hexadecimal digits
  model::Uuid credentialId;
  std::optional<model::Uuid> homeId;      // the key's own organization
  std::optional<model::Uuid> holderId;    // the member there who owns the key; null: a session
  std::optional<std::int64_t> goodForMs;  // until the credential expires; null: never
  // The organization requires a second factor, and the session's person has none: organizationId and memberId are nil.
  std::optional<bool> lacksSecondFactor;
};
BOOST_DESCRIBE_STRUCT(Verified, (),
                      (organizationId, memberId, personId, accessLevel, permissions, credentialId, homeId, holderId,
                       goodForMs, lacksSecondFactor))

// 401 at /key: the credential is invalid. 403: the person is no member of the organization.
inline constexpr chassis::Post<Verify, Verified> verify{
    .caller = "gateway", .path = "/internal/credentials/verify", .answer_time = std::chrono::seconds(2)};

}  // namespace parley::contracts::organizations
