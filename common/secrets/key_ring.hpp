#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/uuid.hpp"

namespace parley::secrets {

// Seals secrets for the database (XChaCha20-Poly1305, a random nonce each), so that who has the database, a backup of
// it or write access to it has no use of them: what is sealed opens only for the same organization and field, so that
// it cannot be moved to another row either.
//
// A sealed text is `KEY.BOX`: the id of the key, and base64url of nonce and ciphertext. To change keys put the new one
// in front of the old; the old one must stay until nothing is sealed with it any more: see chassis/reseal.hpp.
class KeyRing {
 public:
  // `ID:BASE64_OF_32_OCTETS[,ID:BASE64...]`; ids are lower-case letters, digits and hyphens, at most 32. Throws
  // std::invalid_argument, whose text shows no key.
  explicit KeyRing(std::string_view text);
  ~KeyRing();
  KeyRing(const KeyRing&) = default;
  KeyRing(KeyRing&&) noexcept = default;
  KeyRing& operator=(const KeyRing&) = delete;

  // With the first key. `field` names what the secret is; a copy in another table is the same field.
  std::string seal(const model::Uuid& organization, std::string_view field, std::string_view secret) const;
  // Throws std::runtime_error when its key is not here, or it was altered, or is another organization's or field's.
  std::string open(const model::Uuid& organization, std::string_view field, std::string_view sealed) const;

  // The id of the key that seals.
  const std::string& sealing_key() const { return keys_.front().id; }
  // The id of the key that something was sealed with, whether it is here or not.
  static std::string_view key_of(std::string_view sealed) { return sealed.substr(0, sealed.find('.')); }

 private:
  struct Key {
    std::string id;
    std::array<unsigned char, 32> octets;
  };
  std::vector<Key> keys_;
};

// What is shown of a secret to those who need not know it: its last four characters, if there are many more.
std::string mask(std::string_view secret);

}  // namespace parley::secrets
