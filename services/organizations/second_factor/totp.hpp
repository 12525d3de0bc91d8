#pragma once
// Time-based one-time passwords (RFC 6238), with the parameters that all authenticator apps know: HMAC-SHA-1, steps of
// 30 s, 6 digits. Computed by liboath.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::organizations::second_factor {

inline constexpr std::int64_t kStepSeconds = 30;
inline constexpr unsigned kDigits = 6;

// 160 random bits, as octets (RFC 4226, 4).
std::string new_secret();

// RFC 4648, upper case, without padding where the octets need none.
std::string base32(std::string_view octets);

std::int64_t step_at(std::chrono::system_clock::time_point time);
std::string code_of(std::string_view secret, std::int64_t step, unsigned digits = kDigits);

// The step whose code this is: `now` or a neighbour, as clocks differ, but after `used`, as a code is accepted once.
std::optional<std::int64_t> step_of(std::string_view secret, std::string_view code, std::int64_t now,
                                    std::int64_t used);

// What an app reads from a QR code.
std::string otpauth_url(std::string_view email, std::string_view secret);

}  // namespace parley::organizations::second_factor
