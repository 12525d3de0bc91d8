#pragma once
// The common format of API keys and session tokens: prefix, ids, secret, check.
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

// Returns the secret and fills in the ids; nullopt for a text that write_credential() would not write.
std::optional<std::string> read_credential(std::string_view text, std::string_view prefix, std::span<model::Uuid> ids);

}  // namespace parley::identity
