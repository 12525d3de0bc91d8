#pragma once
#include <boost/describe/class.hpp>

#include "common/identity/permission.hpp"
#include "common/model/organization.hpp"

namespace parley::organizations::credentials {

// GET /api/auth/api-keys/regenerate takes no parameters.
struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())

struct ApiKeyAnswer {
  model::ApiKey apiKey;
};
BOOST_DESCRIBE_STRUCT(ApiKeyAnswer, (), (apiKey))

// What a key's text says (identity::ApiKey), with the hash of its secret in place of the secret.
struct PresentedKey {
  model::Uuid organizationId;
  model::Uuid credentialId;
  std::string secretSha256;  // 64 lower-case hexadecimal digits
};
BOOST_DESCRIBE_STRUCT(PresentedKey, (), (organizationId, credentialId, secretSha256))

// The body of POST /internal/credentials/verify.
struct Verify {
  PresentedKey key;
  std::optional<model::Uuid> organizationId;  // X-Organization-Id: where to act, if not in the key's own organization
};
BOOST_DESCRIBE_STRUCT(Verify, (), (key, organizationId))

// Who acts, and where.
struct Verified {
  model::Uuid organizationId;  // where to act
  model::Uuid memberId;        // of that organization
  model::Uuid personId;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
  std::string permissions;  // identity::PermissionSet's mask in hexadecimal digits
  model::Uuid credentialId;
};
BOOST_DESCRIBE_STRUCT(Verified, (), (organizationId, memberId, personId, accessLevel, permissions, credentialId))

// What a member may do: Owners all, Admins all but deleting the organization, others what their roles allow.
identity::PermissionSet permissions_of(model::AccessLevel level, identity::PermissionSet of_roles);

}  // namespace parley::organizations::credentials
