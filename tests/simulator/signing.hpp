#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace parley::simulator {

// The lower-case hexadecimal HMAC-SHA256.
std::string sign(std::string_view key, std::string_view message);
// The SHA-256 of some octets, raw.
std::string sha256(std::string_view octets);
std::string to_hex(std::string_view octets);
std::string to_base64(std::string_view octets);

// JSON with everything beyond ASCII as \uXXXX and slashes as \/, as the channel writes its webhooks: whoever checks a
// signature over anything but the octets that came will find it wrong. Nothing else changes.
std::string to_channel_json(std::string_view json);

std::string random_letters(std::size_t count);

}  // namespace parley::simulator
