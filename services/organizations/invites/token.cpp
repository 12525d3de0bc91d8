#include "organizations/invites/token.hpp"

#include <array>

#include "common/identity/api_key.hpp"
#include "common/identity/credential_text.hpp"

namespace parley::organizations::invites {

namespace {
constexpr std::string_view kPrefix = "parley_invite_";
}

Token Token::create(const model::Uuid& organization_id, const model::Uuid& invite_id) {
  return {organization_id, invite_id, identity::new_secret()};
}

std::optional<Token> Token::parse(std::string_view text) {
  std::array<model::Uuid, 2> ids;
  auto secret = identity::read_credential(text, kPrefix, ids);
  if (!secret) return std::nullopt;
  return Token{ids[0], ids[1], std::move(*secret)};
}

std::string Token::text() const {
  const std::array ids{organization_id, invite_id};
  return identity::write_credential(kPrefix, ids, secret);
}

std::string Token::secret_hash() const { return identity::sha256(secret); }

}  // namespace parley::organizations::invites
