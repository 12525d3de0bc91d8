#include "common/identity/session_token.hpp"

#include "common/identity/api_key.hpp"
#include "common/identity/credential_text.hpp"

namespace parley::identity {

namespace {
constexpr std::string_view kPrefix = "parley_session_";
}

SessionToken SessionToken::create(const model::Uuid& session_id) { return {session_id, new_secret()}; }

std::optional<SessionToken> SessionToken::parse(std::string_view text) {
  std::array<model::Uuid, 1> ids;
  auto secret = read_credential(text, kPrefix, ids);
  if (!secret) return std::nullopt;
  return SessionToken{ids[0], std::move(*secret)};
}

std::string SessionToken::text() const {
  const std::array ids{session_id};
  return write_credential(kPrefix, ids, secret);
}

std::string SessionToken::secret_hash() const { return sha256(secret); }

}  // namespace parley::identity
