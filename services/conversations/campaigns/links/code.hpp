#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::conversations::links {

// Path of links below the public address: `{public address}/l/{code}`.
inline constexpr std::string_view kPath = "/l/";

// The code of a URL for one recipient: 16 characters, base64url of the campaign URL's number (4 octets), the
// recipient's ordinal (3) and the first 5 octets of SipHash-2-4 of those 7 under the URL's secret. So no row per
// recipient is needed, and a guessed code is right with probability 2^-40.
class Code {
 public:
  static std::optional<Code> read(std::string_view text);
  // Throws std::out_of_range unless `url_id` is from 1 to 2^32 - 1, and std::invalid_argument unless `secret` has 16
  // octets. An ordinal of 2^24 or more becomes 0: the link works, but counts for no recipient.
  static Code make(std::int64_t url_id, std::int32_t ordinal, std::string_view secret);

  std::int64_t url_id() const;
  std::int32_t ordinal() const;  // of the campaign's target, from 1; 0: no recipient
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
