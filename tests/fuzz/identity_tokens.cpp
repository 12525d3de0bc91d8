// Signed identities between processes: who was signed is who is verified, and nothing that was changed on the way is.
#include "common/identity/token.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::identity;

namespace {

Verifier verifier() {
  static const Seed seed{1}, other{2};
  return Verifier({{"gateway", public_key_of(seed)}, {"contacts", public_key_of(other)}}, "conversations");
}

}  // namespace

FUZZ(identity_tokens) {
  static const Signer gateway("gateway", Seed{1}), contacts("contacts", Seed{2}), stranger("gateway", Seed{3});
  const auto signer = input.choice(3), at = input.choice(256), bit = input.choice(8);
  Identity identity;
  identity.service = input.choice(2) == 0 ? "" : "contacts";
  identity.permissions = PermissionSet(input.choice(256) * 0x0101'0101'0101'0101);
  identity.organization_id.bytes[0] = static_cast<unsigned char>(input.choice(256));
  const auto audience = input.choice(2) == 0 ? "conversations" : "organizations";
  const std::string text(input.rest());
  for (const char c : text)
    if (c != '|' && c != '@' && c != '+') identity.credential_id += c;
  if (identity.credential_id.size() > 400) return;
  identity.by_key = text.size() % 2 == 1;

  auto token = (signer == 0 ? gateway : signer == 1 ? contacts : stranger).sign(identity, audience);
  const bool is_good = audience == std::string_view("conversations") &&
                       ((signer == 0 && identity.service.empty()) || (signer == 1 && !identity.service.empty()));
  auto verify = verifier();
  const auto verified = verify.verify(token);
  MUST((verified != nullptr) == is_good);
  if (is_good) MUST(*verified == identity);
  MUST(verify.verify(token) == verified);
  token[at % token.size()] = static_cast<char>(token[at % token.size()] ^ (1 << bit));
  MUST(!verify.verify(token));
  MUST(!verify.verify(text));
}
