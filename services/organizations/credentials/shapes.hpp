#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/identity/permission.hpp"
#include "common/model/organization.hpp"
#include "common/model/page.hpp"

namespace parley::organizations::credentials {

// GET /api/auth/api-keys/regenerate takes no parameters.
struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())

struct ApiKeyResponse {
  model::ApiKey apiKey;
};
BOOST_DESCRIBE_STRUCT(ApiKeyResponse, (), (apiKey))

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

// The parameters of GET /api/auth/api-keys.
struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<model::Uuid> member_id;  // whose keys, if not one's own
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by, member_id))

// The same, checked.
using Filter = http::PageFilter<SortBy>;

// A key as it is listed: its secret is nowhere.
struct ListedKey {
  model::Uuid uniqueId;
  std::string name;
  std::string prefix;  // what the key's text begins with, up to the secret
  model::Timestamp createdAt;
  std::optional<model::Timestamp> expiresAt;   // null: never
  std::optional<model::Timestamp> lastUsedAt;  // to the minute; null: never
  bool isDefault = false;                      // the one that regenerate replaces
};
BOOST_DESCRIBE_STRUCT(ListedKey, (), (uniqueId, name, prefix, createdAt, expiresAt, lastUsedAt, isDefault))

struct Page {
  std::vector<ListedKey> keys;
  std::int64_t total = 0;
};

struct PageResponse {
  std::vector<ListedKey> apiKeys;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (apiKeys, paginationMeta))

struct ListedKeyResponse {
  ListedKey apiKey;
};
BOOST_DESCRIBE_STRUCT(ListedKeyResponse, (), (apiKey))

// The body of POST /api/auth/api-keys.
struct CreateKey {
  std::string name;
  std::optional<model::Timestamp> expiresAt;
};
BOOST_DESCRIBE_STRUCT(CreateKey, (), (name, expiresAt))

// The one answer that holds a named key's text.
struct MadeKey {
  model::Uuid uniqueId;
  std::string name;
  std::string key;
  model::Timestamp createdAt;
  std::optional<model::Timestamp> expiresAt;
};
BOOST_DESCRIBE_STRUCT(MadeKey, (), (uniqueId, name, key, createdAt, expiresAt))

struct MadeKeyResponse {
  MadeKey apiKey;
};
BOOST_DESCRIBE_STRUCT(MadeKeyResponse, (), (apiKey))

// What a key's text says (identity::ApiKey), with the hash of its secret in place of the secret.
struct PresentedKey {
  model::Uuid organizationId;
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

// The body of POST /internal/credentials/verify: a key or a session.
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

// What a member may do: Owners all, Admins all but deleting the organization, others what their roles allow.
identity::PermissionSet permissions_of(model::AccessLevel level, identity::PermissionSet of_roles);

}  // namespace parley::organizations::credentials
