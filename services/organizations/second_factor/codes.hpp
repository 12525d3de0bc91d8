#pragma once
// The codes that people type: of an app, or a recovery code.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/uuid.hpp"

namespace parley::organizations::second_factor {

inline constexpr std::size_t kRecoveryCodes = 10;

// A text of the form of one or the other, without what people put between.
struct Code {
  std::string text;
  bool is_recovery = false;
};
// nullopt for anything else. Spaces, hyphens and the case of letters do not count.
std::optional<Code> read_code(std::string_view text);

// Codes of 80 random bits: `abcd-efgh-ijkl-mnop`.
std::vector<std::string> new_recovery_codes();
// The stored form of a recovery code, SHA-256: 80 random bits need no slower hash.
std::string hash_of(const model::Uuid& person, const Code& code);

}  // namespace parley::organizations::second_factor
