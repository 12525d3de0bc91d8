#include "organizations/second_factor/totp.hpp"

#include <oath.h>
#include <sodium.h>

#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "common/identity/api_key.hpp"

namespace parley::organizations::second_factor {

namespace {

constexpr std::size_t kSecretOctets = 20;
constexpr std::string_view kIssuer = "Parley";

void check(int result) {
  if (result != OATH_OK) throw std::runtime_error(std::string("liboath: ") + oath_strerror(result));
}

void start() {
  static const int started = oath_init();
  check(started);
}

}  // namespace

std::string new_secret() {
  std::string out(kSecretOctets, '\0');
  randombytes_buf(out.data(), out.size());
  return out;
}

std::string base32(std::string_view octets) {
  char* text = nullptr;
  check(oath_base32_encode(octets.data(), octets.size(), &text, nullptr));
  const std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
  return text;
}

std::int64_t step_at(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count() / kStepSeconds;
}

std::string code_of(std::string_view secret, std::int64_t step, unsigned digits) {
  start();
  char out[16];  // up to 8 digits
  check(oath_hotp_generate(secret.data(), secret.size(), static_cast<std::uint64_t>(step), digits, false,
                           OATH_HOTP_DYNAMIC_TRUNCATION, out));
  return out;
}

// Compares with all of them, so that timing does not tell which one it was.
std::optional<std::int64_t> step_of(std::string_view secret, std::string_view code, std::int64_t now,
                                    std::int64_t used) {
  std::optional<std::int64_t> found;
  for (const auto step : {now - 1, now, now + 1}) {
    const bool is_same = identity::equal_in_constant_time(code_of(secret, step), code);
    if (is_same && step > used) found = step;
  }
  return found;
}

std::string otpauth_url(std::string_view email, std::string_view secret) {
  const auto label = boost::urls::encode({email.data(), email.size()}, boost::urls::unreserved_chars);
  const std::string issuer(kIssuer);
  return "otpauth://totp/" + issuer + ":" + std::string(label) + "?secret=" + base32(secret) + "&issuer=" + issuer +
         "&algorithm=SHA1&digits=" + std::to_string(kDigits) + "&period=" + std::to_string(kStepSeconds);
}

}  // namespace parley::organizations::second_factor
