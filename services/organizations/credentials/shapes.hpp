#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/contracts/organizations.hpp"
#include "common/http/page.hpp"
#include "common/identity/permission.hpp"
#include "common/model/organization.hpp"
#include "common/model/page.hpp"

namespace parley::organizations::credentials {

struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())

struct ApiKeyResponse {
  model::ApiKey apiKey;
};
BOOST_DESCRIBE_STRUCT(ApiKeyResponse, (), (apiKey))

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<model::Uuid> member_id;  // default: the caller
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by, member_id))

using Filter = http::PageFilter<SortBy>;

// A key without its secret.
struct ListedKey {
  model::Uuid uniqueId;
  std::string name;
  std::string prefix;  // the key's text up to the secret
  model::Timestamp createdAt;
  std::optional<model::Timestamp> expiresAt;   // null: never
  std::optional<model::Timestamp> lastUsedAt;  // accurate to a minute; null: never
  bool isDefault = false;                      // replaced by regenerate
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

struct CreateKey {
  std::string name;
  model::Nullable<model::Timestamp> expiresAt;
};
BOOST_DESCRIBE_STRUCT(CreateKey, (), (name, expiresAt))

// The only response with the text of a named key.
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

// Owners may do everything, Admins everything but delete the organization, Members what their roles permit.
identity::PermissionSet permissions_of(model::AccessLevel level, identity::PermissionSet of_roles);

}  // namespace parley::organizations::credentials
