#include "common/identity/credential_text.hpp"

#include <sodium.h>

#include <boost/crc.hpp>

#include "common/identity/api_key.hpp"
#include "common/identity/keys.hpp"

namespace parley::identity {

namespace {

constexpr std::size_t kIdDigits = 32;
constexpr std::size_t kSecretOctets = 32;
constexpr std::size_t kSecretLength = 43;
constexpr std::size_t kCheckDigits = 8;

std::string_view octets_of(const model::Uuid& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

std::optional<model::Uuid> id_from_hex(std::string_view digits) {
  const auto octets = from_hex(digits);
  if (!octets) return std::nullopt;
  model::Uuid id;
  octets->copy(reinterpret_cast<char*>(id.bytes.data()), id.bytes.size());
  return id;
}

std::string check_of(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  const auto value = crc.checksum();
  std::string octets;
  for (int shift = 24; shift >= 0; shift -= 8) octets += static_cast<char>(value >> shift & 0xFF);
  return to_hex(octets);
}

}  // namespace

std::string new_secret() {
  std::string octets(kSecretOctets, '\0');
  randombytes_buf(octets.data(), octets.size());
  auto secret = to_base64url(octets);
  sodium_memzero(octets.data(), octets.size());
  return secret;
}

std::string write_credential(std::string_view prefix, std::span<const model::Uuid> ids, std::string_view secret) {
  std::string out(prefix);
  for (const auto& id : ids) out += to_hex(octets_of(id));
  out.append("_").append(secret);
  const auto check = check_of(out);
  return out.append("_").append(check);
}

std::optional<std::string> read_credential(std::string_view text, std::string_view prefix, std::span<model::Uuid> ids) {
  const auto secret_at = prefix.size() + ids.size() * kIdDigits + 1;
  const auto check_at = secret_at + kSecretLength + 1;
  if (text.size() != check_at + kCheckDigits || !text.starts_with(prefix)) return std::nullopt;
  if (text[secret_at - 1] != '_' || text[check_at - 1] != '_') return std::nullopt;
  if (text.substr(check_at) != check_of(text.substr(0, check_at - 1))) return std::nullopt;
  auto digits = text.substr(prefix.size());
  for (auto& id : ids) {
    const auto read = id_from_hex(digits.substr(0, kIdDigits));
    if (!read) return std::nullopt;
    id = *read;
    digits.remove_prefix(kIdDigits);
  }
  const auto secret = text.substr(secret_at, kSecretLength);
  const auto octets = from_base64url(secret);
  if (!octets || octets->size() != kSecretOctets) return std::nullopt;
  return std::string(secret);
}

}  // namespace parley::identity
