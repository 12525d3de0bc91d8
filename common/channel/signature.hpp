#pragma once
#include <sodium/crypto_auth_hmacsha256.h>

#include <string>
#include <string_view>
#include <vector>

namespace parley::cloud_api {

// The secrets that the channel may sign with: the application's, and during a rotation the previous one. `list` is
// comma-separated.
std::vector<std::string> read_secrets(std::string_view list);

// Compares in constant time.
bool equal_secretly(std::string_view a, std::string_view b);

// Checks a body's X-Hub-Signature-256 incrementally: HMAC-SHA256 (RFC 2104) over the raw octets.
class SignatureCheck {
 public:
  explicit SignatureCheck(const std::vector<std::string>& secrets);
  ~SignatureCheck();
  SignatureCheck(const SignatureCheck&) = delete;
  SignatureCheck& operator=(const SignatureCheck&) = delete;

  void add(std::string_view piece);
  // Whether the field's value, `sha256=` and 64 hexadecimal digits, matches one of the secrets. May be called once.
  bool matches(std::string_view field);

 private:
  std::vector<crypto_auth_hmacsha256_state> states_;
};

}  // namespace parley::cloud_api
