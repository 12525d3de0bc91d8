#include "common/channel/signature.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>

namespace parley::cloud_api {

namespace {

using Digest = std::array<unsigned char, crypto_auth_hmacsha256_BYTES>;

const unsigned char* octets_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

bool read_digest(std::string_view field, Digest& out) {
  constexpr std::string_view scheme = "sha256=";
  if (!field.starts_with(scheme)) return false;
  field.remove_prefix(scheme.size());
  std::size_t length = 0;
  return field.size() == 2 * out.size() &&
         sodium_hex2bin(out.data(), out.size(), field.data(), field.size(), nullptr, &length, nullptr) == 0 &&
         length == out.size();
}

}  // namespace

std::vector<std::string> read_secrets(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    auto secret = list.substr(0, comma);
    secret.remove_prefix(std::min(secret.find_first_not_of(' '), secret.size()));
    secret = secret.substr(0, secret.find_last_not_of(' ') + 1);
    if (!secret.empty()) out.emplace_back(secret);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return out;
}

bool equal_secretly(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

SignatureCheck::SignatureCheck(const std::vector<std::string>& secrets) : states_(secrets.size()) {
  for (std::size_t i = 0; i < secrets.size(); ++i)
    crypto_auth_hmacsha256_init(&states_[i], octets_of(secrets[i]), secrets[i].size());
}

SignatureCheck::~SignatureCheck() { sodium_memzero(states_.data(), states_.size() * sizeof states_[0]); }

void SignatureCheck::add(std::string_view piece) {
  for (auto& state : states_) crypto_auth_hmacsha256_update(&state, octets_of(piece), piece.size());
}

bool SignatureCheck::matches(std::string_view field) {
  Digest given{};
  if (!read_digest(field, given)) return false;
  bool found = false;
  for (auto& state : states_) {
    Digest own{};
    crypto_auth_hmacsha256_final(&state, own.data());
    found |= sodium_memcmp(own.data(), given.data(), own.size()) == 0;
  }
  return found;
}

}  // namespace parley::cloud_api
