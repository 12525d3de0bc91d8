#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace parley::identity {

// Ed25519 (RFC 8032). The private key is the seed of 32 octets.
using Seed = std::array<unsigned char, 32>;
using PublicKey = std::array<unsigned char, 32>;

// Must be called once before any other function here; throws if libsodium cannot start.
void start_cryptography();

Seed new_seed();
PublicKey public_key_of(const Seed& seed);

// Standard base64 with padding, the format of keys in the configuration.
std::string to_base64(const unsigned char* octets, std::size_t count);
std::optional<std::array<unsigned char, 32>> key_from_base64(std::string_view text);

// base64url without padding (RFC 4648 5), the format of tokens in header fields.
std::string to_base64url(std::string_view octets);
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace parley::identity
