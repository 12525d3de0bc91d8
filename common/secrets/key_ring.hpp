#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/uuid.hpp"

namespace parley::secrets {

// Encrypts secrets for the database (XChaCha20-Poly1305, random nonces), so that reading or
// writing the database, or reading a backup, does not reveal them. A box opens only for its organization and field, so
// it cannot be moved to another row. A person's secret has the person's id in place of the organization's.
//
// A sealed text is `KEY.BOX`: the key's id, and base64url of nonce and ciphertext. To rotate keys, put the new key
// before the old one, and keep the old one until nothing is sealed with it: see chassis/reseal.hpp.
class KeyRing {
 public:
  // `ID:BASE64_OF_32_OCTETS[,ID:BASE64...]`; ids are lower-case letters, digits and hyphens, at most 32. Throws
  // std::invalid_argument, whose text reveals no key.
  explicit KeyRing(std::string_view text);
  ~KeyRing();
  KeyRing(const KeyRing&) = default;
  KeyRing(KeyRing&&) noexcept = default;
  KeyRing& operator=(const KeyRing&) = delete;

  // Seals with the first key. `field` names the secret's purpose; a copy in another table is the same field.
  std::string seal(const model::Uuid& organization, std::string_view field, std::string_view secret) const;
  // Throws std::runtime_error if the key is missing, or the text was altered or belongs to another organization or
  // field.
  std::string open(const model::Uuid& organization, std::string_view field, std::string_view sealed) const;

  // The id of the key that seal() uses.
  const std::string& sealing_key() const { return keys_.front().id; }
  // The id of the key that a text was sealed with, whether or not the ring has the key.
  static std::string_view key_of(std::string_view sealed) { return sealed.substr(0, sealed.find('.')); }

 private:
  struct Key {
    std::string id;
    std::array<unsigned char, 32> octets;
  };
  std::vector<Key> keys_;
};

// The masked form of a secret: its last four characters, if it is much longer.
std::string mask(std::string_view secret);

}  // namespace parley::secrets
