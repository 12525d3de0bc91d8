#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::identity {

// The text of a session's token, 100 characters:
//
//   parley_session_<session>_<secret>_<check>
//
// The parts are written as in an API key (see api_key.hpp). A session belongs to a person, so the token names no
// organization.
struct SessionToken {
  model::Uuid session_id;
  std::string secret;  // its 43 characters

  // Creates a secret from the system's random source.
  static SessionToken create(const model::Uuid& session_id);
  // Returns nullopt unless the text has exactly this form.
  static std::optional<SessionToken> parse(std::string_view text);

  std::string text() const;
  // SHA-256 of the secret's characters, 32 octets.
  std::string secret_hash() const;
};

}  // namespace parley::identity
