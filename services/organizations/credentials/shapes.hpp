#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/contracts/organizations.hpp"
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

using contracts::organizations::PresentedKey;
using contracts::organizations::PresentedSession;
using contracts::organizations::Verified;

// What a member may do: Owners all, Admins all but deleting the organization, others what their roles allow.
identity::PermissionSet permissions_of(model::AccessLevel level, identity::PermissionSet of_roles);

}  // namespace parley::organizations::credentials
