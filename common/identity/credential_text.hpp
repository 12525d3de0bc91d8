#pragma once
// What the texts of API keys and session tokens have in common: prefix, ids, secret, check.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::identity {

// base64url of 32 octets from the system's random source, 43 characters.
std::string new_secret();

// <prefix><ids>_<secret>_<check>
std::string write_credential(std::string_view prefix, std::span<const model::Uuid> ids, std::string_view secret);

// The secret's characters, and the ids filled in; nullopt for what write_credential() would not have written so.
std::optional<std::string> read_credential(std::string_view text, std::string_view prefix, std::span<model::Uuid> ids);

}  // namespace parley::identity
