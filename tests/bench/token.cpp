// Prints the header value with which a benchmark calls a service as the gateway would: an identity that holds every
// permission in an organization, or the gateway's own for what is for everybody, signed with the gateway's key
// (PARLEY_IDENTITY_KEY). Good for a minute, with that service.
#include <cstdio>
#include <cstdlib>

#include "common/identity/token.hpp"

int main(int argc, char** argv) {
  using namespace parley;
  const bool own = argc == 2;
  const auto organization = argc == 3 ? model::Uuid::parse(argv[2]) : std::nullopt;
  const char* text = std::getenv("PARLEY_IDENTITY_KEY");
  const auto seed = text ? identity::key_from_base64(text) : std::nullopt;
  if ((!own && !organization) || !seed) {
    std::fprintf(stderr, "usage: PARLEY_IDENTITY_KEY=BASE64 parley-bench-token SERVICE [ORGANIZATION_ID]\n");
    return 2;
  }
  identity::start_cryptography();
  if (own) {
    std::puts(identity::Signer("gateway", *seed).own_token(argv[1]).c_str());
    return 0;
  }
  identity::Identity identity;
  identity.organization_id = *organization;
  identity.member_id = *organization;
  identity.access_level = model::AccessLevel::Owner;
  identity.permissions = identity::PermissionSet::all();
  identity.credential_id = "bench";
  std::puts(identity::Signer("gateway", *seed).sign(identity, argv[1]).c_str());
}
