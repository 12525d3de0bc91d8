#include "tests/support/authenticator.hpp"

#include <oath.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>

namespace parley::support {

std::string authenticator_code(const std::string& secret, int steps) {
  char* octets = nullptr;
  std::size_t length = 0;
  if (oath_init() != OATH_OK || oath_base32_decode(secret.data(), secret.size(), &octets, &length) != OATH_OK)
    throw std::runtime_error("no app takes the secret " + secret);
  const std::unique_ptr<char, decltype(&std::free)> owned(octets, &std::free);
  char code[7];
  const auto time = std::time(nullptr) + std::time_t{steps} * OATH_TOTP_DEFAULT_TIME_STEP_SIZE;
  if (oath_totp_generate(octets, length, time, OATH_TOTP_DEFAULT_TIME_STEP_SIZE, OATH_TOTP_DEFAULT_START_TIME, 6,
                         code) != OATH_OK)
    throw std::runtime_error("no code was made");
  return code;
}

}  // namespace parley::support
