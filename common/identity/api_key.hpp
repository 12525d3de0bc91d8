#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::identity {

// An API key as its holder has it, 124 characters:
//
//   parley_<organization><credential>_<secret>_<check>
//
//   organization, credential  ids, 32 lower-case hexadecimal digits each. The organization is there so that the key's
//   row
//                             is found by its primary key, which begins with it: there is no directory of all keys.
//   secret                    base64url (RFC 4648 5) of 32 random octets, 43 characters
//   check                     CRC-32 (ISO-HDLC, as in zip) of all that stands before the underscore in front of it, 8
//                             lower-case hexadecimal digits: garbage is refused without asking anyone, and who scans
//                             texts for leaked keys is sure of what was found
//
// One key has one text.
struct ApiKey {
  model::Uuid organization_id;
  model::Uuid credential_id;
  std::string secret;  // its 43 characters

  // Creates a secret from the system's random source.
  static ApiKey create(const model::Uuid& organization_id, const model::Uuid& credential_id);
  // Returns nullopt unless the text has exactly this form.
  static std::optional<ApiKey> parse(std::string_view text);

  std::string text() const;
  // The text up to the secret, by which the holder recognizes a key in a list.
  std::string prefix() const;
  // The stored and transmitted form of the secret: SHA-256 of its characters, 32 octets. The secret has 256 random
  // bits, so no slower hash is needed.
  std::string secret_hash() const;
};

// SHA-256 (FIPS 180-4), 32 octets.
std::string sha256(std::string_view octets);
// Compares two hashes in constant time.
bool equal_in_constant_time(std::string_view a, std::string_view b);

// Lower-case hexadecimal digits.
std::string to_hex(std::string_view octets);
// Accepts lower-case digits only, else returns nullopt.
std::optional<std::string> from_hex(std::string_view text);

}  // namespace parley::identity
