#include "tests/support/signing.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sodium/utils.h>

namespace parley::support {

std::string hub_signature(std::string_view secret, std::string_view body) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  ::HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(body.data()), body.size(), digest, &length);
  std::string out = "sha256=";
  char hex[2 * EVP_MAX_MD_SIZE + 1];
  return out.append(sodium_bin2hex(hex, sizeof hex, digest, length));
}

}  // namespace parley::support
