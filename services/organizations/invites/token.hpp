#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::organizations::invites {

// What an invitation is accepted with:
//
//   parley_invite_<organization><invite>_<secret>_<check>
//
// whose parts are spelled as an API key's are (see common/identity/api_key.hpp).
struct Token {
  model::Uuid organization_id;
  model::Uuid invite_id;
  std::string secret;

  // A new secret from the system's random source.
  static Token create(const model::Uuid& organization_id, const model::Uuid& invite_id);
  // What is not such a text to the letter is nullopt.
  static std::optional<Token> parse(std::string_view text);

  std::string text() const;
  // SHA-256 of the secret's characters, 32 octets.
  std::string secret_hash() const;
};

}  // namespace parley::organizations::invites
