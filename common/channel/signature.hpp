#pragma once
#include <sodium/crypto_auth_hmacsha256.h>

#include <string>
#include <string_view>
#include <vector>

namespace parley::cloud_api {

// The secrets that the channel signs with: the application's, and while it is being replaced the one before too.
// `list` has commas between them.
std::vector<std::string> read_secrets(std::string_view list);

// Equal, told in a time that says nothing about where they differ.
bool equal_secretly(std::string_view a, std::string_view b);

// Checks a body's X-Hub-Signature-256 while the body arrives: HMAC-SHA256 (RFC 2104) over its octets as they came.
class SignatureCheck {
 public:
  explicit SignatureCheck(const std::vector<std::string>& secrets);
  ~SignatureCheck();
  SignatureCheck(const SignatureCheck&) = delete;
  SignatureCheck& operator=(const SignatureCheck&) = delete;

  void add(std::string_view piece);
  // Whether the field's value, `sha256=` and 64 hexadecimal digits, is of one of the secrets. Once.
  bool matches(std::string_view field);

 private:
  std::vector<crypto_auth_hmacsha256_state> states_;
};

}  // namespace parley::cloud_api
