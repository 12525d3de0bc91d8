#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::organizations::users {

// Sets a password once: `parley_password_<person>_<secret>_<check>`, as an API key (common/identity/api_key.hpp).
struct PasswordToken {
  model::Uuid person_id;
  std::string secret;

  static PasswordToken create(const model::Uuid& person_id);
  // nullopt unless the text is exactly of this form.
  static std::optional<PasswordToken> parse(std::string_view text);

  std::string text() const;
  // SHA-256 of the secret's text, 32 octets.
  std::string secret_hash() const;
};

}  // namespace parley::organizations::users
