#include "common/identity/api_key.hpp"

#include <sodium.h>

#include <boost/crc.hpp>

#include "common/identity/keys.hpp"

namespace parley::identity {

namespace {

constexpr std::string_view kPrefix = "parley_";
constexpr std::size_t kIdDigits = 32;
constexpr std::size_t kSecretOctets = 32;
constexpr std::size_t kSecretLength = 43;
constexpr std::size_t kCheckDigits = 8;
constexpr std::size_t kSecretAt = kPrefix.size() + 2 * kIdDigits + 1;
constexpr std::size_t kCheckAt = kSecretAt + kSecretLength + 1;
constexpr std::size_t kLength = kCheckAt + kCheckDigits;

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

ApiKey ApiKey::create(const model::Uuid& organization_id, const model::Uuid& credential_id) {
  std::string octets(kSecretOctets, '\0');
  randombytes_buf(octets.data(), octets.size());
  ApiKey key{organization_id, credential_id, to_base64url(octets)};
  sodium_memzero(octets.data(), octets.size());
  return key;
}

std::optional<ApiKey> ApiKey::parse(std::string_view text) {
  if (text.size() != kLength || !text.starts_with(kPrefix)) return std::nullopt;
  if (text[kSecretAt - 1] != '_' || text[kCheckAt - 1] != '_') return std::nullopt;
  if (text.substr(kCheckAt) != check_of(text.substr(0, kCheckAt - 1))) return std::nullopt;
  const auto organization = id_from_hex(text.substr(kPrefix.size(), kIdDigits));
  const auto credential = id_from_hex(text.substr(kPrefix.size() + kIdDigits, kIdDigits));
  const auto secret = text.substr(kSecretAt, kSecretLength);
  const auto octets = from_base64url(secret);
  if (!organization || !credential || !octets || octets->size() != kSecretOctets) return std::nullopt;
  return ApiKey{*organization, *credential, std::string(secret)};
}

std::string ApiKey::text() const {
  std::string out(kPrefix);
  out.append(to_hex(octets_of(organization_id))).append(to_hex(octets_of(credential_id)));
  out.append("_").append(secret);
  const auto check = check_of(out);
  return out.append("_").append(check);
}

std::string ApiKey::secret_hash() const { return sha256(secret); }

std::string sha256(std::string_view octets) {
  std::string hash(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(hash.data()),
                     reinterpret_cast<const unsigned char*>(octets.data()), octets.size());
  return hash;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string to_hex(std::string_view octets) {
  std::string out(octets.size() * 2 + 1, '\0');
  sodium_bin2hex(out.data(), out.size(), reinterpret_cast<const unsigned char*>(octets.data()), octets.size());
  out.pop_back();  // the C string's end
  return out;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdef") != text.npos) return std::nullopt;
  std::string out(text.size() / 2, '\0');
  sodium_hex2bin(reinterpret_cast<unsigned char*>(out.data()), out.size(), text.data(), text.size(), nullptr, nullptr,
                 nullptr);
  return out;
}

}  // namespace parley::identity
