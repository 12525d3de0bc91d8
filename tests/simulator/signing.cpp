#include "tests/simulator/signing.hpp"

#include <sodium.h>

#include <cstdint>
#include <cstdio>

namespace parley::simulator {

namespace {

const unsigned char* octets_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// The code point at `at`, which moves behind it. The text must be valid UTF-8.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  std::uint32_t out = lead & (0x3FU >> more);
  for (int i = 0; i < more && at < text.size(); ++i) out = out << 6 | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  return out;
}

void append_escape(std::string& out, std::uint32_t unit) {
  char text[8];
  out.append(text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "\\u%04x", unit)));
}

}  // namespace

std::string sign(std::string_view key, std::string_view message) {
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, octets_of(key), key.size());
  crypto_auth_hmacsha256_update(&state, octets_of(message), message.size());
  std::string out(crypto_auth_hmacsha256_BYTES, '\0');
  crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(out.data()));
  return to_hex(out);
}

std::string sha256(std::string_view octets) {
  std::string out(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(out.data()), octets_of(octets), octets.size());
  return out;
}

std::string to_hex(std::string_view octets) {
  std::string out(octets.size() * 2 + 1, '\0');
  sodium_bin2hex(out.data(), out.size(), octets_of(octets), octets.size());
  out.pop_back();
  return out;
}

std::string to_base64(std::string_view octets) {
  constexpr int variant = sodium_base64_VARIANT_ORIGINAL;
  std::string out(sodium_base64_encoded_len(octets.size(), variant), '\0');
  sodium_bin2base64(out.data(), out.size(), octets_of(octets), octets.size(), variant);
  out.pop_back();
  return out;
}

std::string to_channel_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    // The text may already have escaped slashes.
    if (c == '\\' && at + 1 < json.size()) {
      out.append(json.substr(at, 2));
      at += 2;
    } else if (c == '/') {
      out += "\\/";
      ++at;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      out += c;
      ++at;
    } else {
      const auto point = next_code_point(json, at);
      if (point < 0x10000) {
        append_escape(out, point);
      } else {
        append_escape(out, 0xD800 + ((point - 0x10000) >> 10));
        append_escape(out, 0xDC00 + ((point - 0x10000) & 0x3FF));
      }
    }
  }
  return out;
}

std::string random_letters(std::size_t count) {
  static constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += letters[randombytes_uniform(letters.size())];
  return out;
}

}  // namespace parley::simulator
