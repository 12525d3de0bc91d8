#include "common/identity/keys.hpp"

#include <sodium.h>

#include <stdexcept>

namespace parley::identity {

namespace {

std::string encode(const unsigned char* octets, std::size_t count, int variant) {
  std::string out(sodium_base64_encoded_len(count, variant), '\0');
  sodium_bin2base64(out.data(), out.size(), octets, count, variant);
  out.pop_back();  // the C string's end
  return out;
}

}  // namespace

void start_cryptography() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot start");
}

Seed new_seed() {
  Seed seed;
  randombytes_buf(seed.data(), seed.size());
  return seed;
}

PublicKey public_key_of(const Seed& seed) {
  PublicKey key;
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret;
  crypto_sign_seed_keypair(key.data(), secret.data(), seed.data());
  sodium_memzero(secret.data(), secret.size());
  return key;
}

std::string to_base64(const unsigned char* octets, std::size_t count) {
  return encode(octets, count, sodium_base64_VARIANT_ORIGINAL);
}

std::optional<std::array<unsigned char, 32>> key_from_base64(std::string_view text) {
  std::array<unsigned char, 32> key;
  std::size_t length = 0;
  const char* end = nullptr;
  const int failed = sodium_base642bin(key.data(), key.size(), text.data(), text.size(), nullptr, &length, &end,
                                       sodium_base64_VARIANT_ORIGINAL);
  if (failed || length != key.size() || end != text.data() + text.size()) return std::nullopt;
  return key;
}

std::string to_base64url(std::string_view octets) {
  return encode(reinterpret_cast<const unsigned char*>(octets.data()), octets.size(),
                sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string out(text.size(), '\0');
  std::size_t length = 0;
  const char* end = nullptr;
  const int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(out.data()), out.size(), text.data(),
                                       text.size(), nullptr, &length, &end, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  if (failed || end != text.data() + text.size()) return std::nullopt;
  out.resize(length);
  if (to_base64url(out) != text) return std::nullopt;  // libsodium accepts non-ASCII octets as a dash
  return out;
}

}  // namespace parley::identity
