#include "organizations/users/password_token.hpp"

#include <array>

#include "common/identity/api_key.hpp"
#include "common/identity/credential_text.hpp"

namespace parley::organizations::users {

namespace {
constexpr std::string_view kPrefix = "parley_password_";
}

PasswordToken PasswordToken::create(const model::Uuid& person_id) { return {person_id, identity::new_secret()}; }

std::optional<PasswordToken> PasswordToken::parse(std::string_view text) {
  std::array<model::Uuid, 1> ids;
  auto secret = identity::read_credential(text, kPrefix, ids);
  if (!secret) return std::nullopt;
  return PasswordToken{ids[0], std::move(*secret)};
}

std::string PasswordToken::text() const {
  const std::array ids{person_id};
  return identity::write_credential(kPrefix, ids, secret);
}

std::string PasswordToken::secret_hash() const { return identity::sha256(secret); }

}  // namespace parley::organizations::users
