#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::organizations::invites {

// `parley_invite_<organization><invite>_<secret>_<check>`, encoded as an API key (common/identity/api_key.hpp).
struct Token {
  model::Uuid organization_id;
  model::Uuid invite_id;
  std::string secret;

  static Token create(const model::Uuid& organization_id, const model::Uuid& invite_id);
  // nullopt unless the text is exactly of this form.
  static std::optional<Token> parse(std::string_view text);

  std::string text() const;
  // SHA-256 of the secret's text, 32 octets.
  std::string secret_hash() const;
};

}  // namespace parley::organizations::invites
