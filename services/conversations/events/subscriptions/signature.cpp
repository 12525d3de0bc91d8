#include "conversations/events/subscriptions/signature.hpp"

#include <sodium.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "common/identity/keys.hpp"

namespace parley::conversations::subscriptions {

namespace {

constexpr std::string_view kPrefix = "whsec_";
constexpr std::size_t kSecretOctets = 32;

const unsigned char* octets(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

std::vector<unsigned char> key_of(std::string_view secret) {
  if (secret.starts_with(kPrefix)) secret.remove_prefix(kPrefix.size());
  std::vector<unsigned char> key(secret.size() + 1);  // data() must not be null
  std::size_t length = 0;
  const int failed = ::sodium_base642bin(key.data(), key.size(), secret.data(), secret.size(), nullptr, &length,
                                         nullptr, sodium_base64_VARIANT_ORIGINAL);
  if (failed != 0 || length == 0) throw std::invalid_argument("a webhook's secret is not base64");
  key.resize(length);
  return key;
}

}  // namespace

std::string new_secret() {
  std::array<unsigned char, kSecretOctets> random;
  ::randombytes_buf(random.data(), random.size());
  return std::string(kPrefix) + identity::to_base64(random.data(), random.size());
}

std::string field_of(const model::Uuid& webhook) { return "webhook secret " + webhook.text(); }

std::string signature(std::string_view secret, std::string_view id, std::int64_t seconds, std::string_view body) {
  const auto key = key_of(secret);
  std::string head(id);
  head.append(".").append(std::to_string(seconds)).append(".");
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> code;
  crypto_auth_hmacsha256_state state;
  ::crypto_auth_hmacsha256_init(&state, key.data(), key.size());
  ::crypto_auth_hmacsha256_update(&state, octets(head), head.size());
  ::crypto_auth_hmacsha256_update(&state, octets(body), body.size());
  ::crypto_auth_hmacsha256_final(&state, code.data());
  return "v1," + identity::to_base64(code.data(), code.size());
}

std::string signed_fields(std::span<const std::string> secrets, std::string_view id, std::int64_t seconds,
                          std::string_view body) {
  std::string out = "webhook-id: ";
  out.append(id).append("\r\nwebhook-timestamp: ").append(std::to_string(seconds)).append("\r\nwebhook-signature:");
  for (const auto& secret : secrets) out.append(" ").append(signature(secret, id, seconds, body));
  out += "\r\n";
  return out;
}

}  // namespace parley::conversations::subscriptions
