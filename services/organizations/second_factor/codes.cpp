#include "organizations/second_factor/codes.hpp"

#include <sodium.h>

#include <algorithm>

#include "common/identity/api_key.hpp"
#include "common/model/text.hpp"
#include "organizations/second_factor/totp.hpp"

namespace parley::organizations::second_factor {

namespace {

constexpr std::size_t kRecoveryOctets = 10, kRecoveryLength = 16, kGroup = 4;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_base32(char c) { return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7'); }

std::string new_recovery_code() {
  std::string octets(kRecoveryOctets, '\0');
  randombytes_buf(octets.data(), octets.size());
  std::string out;
  for (const char c : model::lower_case(base32(octets))) {
    if (out.size() % (kGroup + 1) == kGroup) out += '-';
    out += c;
  }
  return out;
}

}  // namespace

std::optional<Code> read_code(std::string_view text) {
  Code code;
  code.text = model::lower_case(std::string(text));
  std::erase_if(code.text, [](char c) { return c == ' ' || c == '-'; });
  if (code.text.size() == kDigits && std::ranges::all_of(code.text, is_digit)) return code;
  code.is_recovery = true;
  if (code.text.size() == kRecoveryLength && std::ranges::all_of(code.text, is_base32)) return code;
  return std::nullopt;
}

std::vector<std::string> new_recovery_codes() {
  std::vector<std::string> out(kRecoveryCodes);
  std::ranges::generate(out, new_recovery_code);
  return out;
}

std::string hash_of(const model::Uuid& person, const Code& code) {
  return identity::sha256("recovery code|" + person.text() + "|" + code.text);
}

}  // namespace parley::organizations::second_factor
