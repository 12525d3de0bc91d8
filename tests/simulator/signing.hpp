#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace parley::simulator {

// In lower-case hexadecimal.
std::string sign(std::string_view key, std::string_view message);
// Raw octets.
std::string sha256(std::string_view octets);
std::string to_hex(std::string_view octets);
std::string to_base64(std::string_view octets);

// Escapes slashes and all but ASCII, as the channel does: a signature check over anything but the received octets
// fails.
std::string to_channel_json(std::string_view json);

std::string random_letters(std::size_t count);

}  // namespace parley::simulator
