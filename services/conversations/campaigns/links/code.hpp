#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::conversations::links {

// Where links are followed, behind the address that the world knows: `{public address}/l/{code}`.
inline constexpr std::string_view kPath = "/l/";

// What stands for a URL in the message of one recipient: 16 characters, base64url of the number of the campaign's URL
// (4 octets), the recipient's ordinal (3) and the first 5 of SipHash-2-4 of those 7 by the URL's secret. So nobody
// needs to keep a row a recipient, and who has one link can guess no other: one in 2^40 is right.
class Code {
 public:
  static std::optional<Code> read(std::string_view text);
  // Throws std::out_of_range unless `url_id` is from 1 to 2^32 - 1. An ordinal that has no room in it (2^24 and more)
  // becomes 0: the link leads where it should, and nobody is counted. `secret` has 16 octets, else
  // std::invalid_argument.
  static Code make(std::int64_t url_id, std::int32_t ordinal, std::string_view secret);

  std::int64_t url_id() const;
  std::int32_t ordinal() const;  // of the campaign's target, from 1; 0: of nobody
  bool matches(std::string_view secret) const;
  std::string text() const;

 private:
  using Octets = std::array<unsigned char, 12>;
  explicit Code(const Octets& octets) : octets_(octets) {}
  Octets octets_;
};

inline std::string code_of(std::int64_t url_id, std::int32_t ordinal, std::string_view secret) {
  return Code::make(url_id, ordinal, secret).text();
}
inline std::optional<Code> read_code(std::string_view text) { return Code::read(text); }

}  // namespace parley::conversations::links
