#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::organizations::people {

// What a person's password is set with, once, by whoever an operator gave it to:
//
//   parley_password_<person>_<secret>_<check>
//
// whose parts are spelled as an API key's are (see common/identity/api_key.hpp).
struct PasswordToken {
  model::Uuid person_id;
  std::string secret;

  // A new secret from the system's random source.
  static PasswordToken create(const model::Uuid& person_id);
  // What is not such a text to the letter is nullopt.
  static std::optional<PasswordToken> parse(std::string_view text);

  std::string text() const;
  // SHA-256 of the secret's characters, 32 octets.
  std::string secret_hash() const;
};

}  // namespace parley::organizations::people
