#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::identity {

// A session's token as the person who signed in has it, 100 characters:
//
//   parley_session_<session>_<secret>_<check>
//
// whose parts are spelled as an API key's are (see api_key.hpp). A session is a person's, so no organization is in it.
struct SessionToken {
  model::Uuid session_id;
  std::string secret;  // its 43 characters

  // A new secret from the system's random source.
  static SessionToken create(const model::Uuid& session_id);
  // What is not such a text to the letter is nullopt.
  static std::optional<SessionToken> parse(std::string_view text);

  std::string text() const;
  // SHA-256 of the secret's characters, 32 octets.
  std::string secret_hash() const;
};

}  // namespace parley::identity
