#include "common/identity/api_key.hpp"

#include <sodium.h>

#include <array>

#include "common/identity/credential_text.hpp"

namespace parley::identity {

namespace {
constexpr std::string_view kPrefix = "parley_";
constexpr std::size_t kIdDigits = 32;
}  // namespace

ApiKey ApiKey::create(const model::Uuid& organization_id, const model::Uuid& credential_id) {
  return {organization_id, credential_id, new_secret()};
}

std::optional<ApiKey> ApiKey::parse(std::string_view text) {
  std::array<model::Uuid, 2> ids;
  auto secret = read_credential(text, kPrefix, ids);
  if (!secret) return std::nullopt;
  return ApiKey{ids[0], ids[1], std::move(*secret)};
}

std::string ApiKey::text() const {
  const std::array ids{organization_id, credential_id};
  return write_credential(kPrefix, ids, secret);
}

std::string ApiKey::prefix() const { return text().substr(0, kPrefix.size() + 2 * kIdDigits); }

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
