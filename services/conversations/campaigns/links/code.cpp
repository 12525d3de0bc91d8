#include "conversations/campaigns/links/code.hpp"

#include <sodium.h>

#include <algorithm>
#include <stdexcept>

namespace parley::conversations::links {

namespace {

constexpr std::size_t kTold = 7;  // octets of URL id and ordinal; the rest is the tag
constexpr std::size_t kTag = 5;
constexpr std::size_t kCharacters = 16;
constexpr std::int64_t kMaxUrls = std::int64_t{1} << 32;
constexpr std::int32_t kMaxOrdinals = 1 << 24;
constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

void append_tag(const unsigned char* told, std::string_view secret, unsigned char* out) {
  if (secret.size() != crypto_shorthash_KEYBYTES) throw std::invalid_argument("a link's secret has 16 octets");
  std::array<unsigned char, crypto_shorthash_BYTES> hash{};
  crypto_shorthash(hash.data(), told, kTold, reinterpret_cast<const unsigned char*>(secret.data()));
  std::copy_n(hash.begin(), kTag, out);
}

}  // namespace

std::optional<Code> Code::read(std::string_view text) {
  Octets octets{};
  std::size_t length = 0;
  const bool good = text.size() == kCharacters &&
                    sodium_base642bin(octets.data(), octets.size(), text.data(), text.size(), nullptr, &length, nullptr,
                                      kVariant) == 0 &&
                    length == octets.size();
  if (!good) return std::nullopt;
  const Code code(octets);
  return code.text() == text ? std::optional(code) : std::nullopt;  // libsodium reads non-ASCII octets as a dash
}

Code Code::make(std::int64_t url_id, std::int32_t ordinal, std::string_view secret) {
  if (url_id <= 0 || url_id >= kMaxUrls) throw std::out_of_range("this URL's number has no room in a link");
  const auto id = static_cast<std::uint32_t>(url_id);
  const auto place = ordinal > 0 && ordinal < kMaxOrdinals ? static_cast<std::uint32_t>(ordinal) : 0;
  const auto octet = [](std::uint32_t number, int shift) { return static_cast<unsigned char>(number >> shift); };
  Octets octets{octet(id, 24),    octet(id, 16),   octet(id, 8),   octet(id, 0),
                octet(place, 16), octet(place, 8), octet(place, 0)};
  append_tag(octets.data(), secret, octets.data() + kTold);
  return Code(octets);
}

std::int64_t Code::url_id() const {
  std::int64_t id = 0;
  for (std::size_t i = 0; i < 4; ++i) id = id << 8 | octets_[i];
  return id;
}

std::int32_t Code::ordinal() const { return octets_[4] << 16 | octets_[5] << 8 | octets_[6]; }

bool Code::matches(std::string_view secret) const {
  std::array<unsigned char, kTag> tag{};
  append_tag(octets_.data(), secret, tag.data());
  return sodium_memcmp(tag.data(), octets_.data() + kTold, kTag) == 0;
}

std::string Code::text() const {
  std::array<char, kCharacters + 1> out{};
  sodium_bin2base64(out.data(), out.size(), octets_.data(), octets_.size(), kVariant);
  return {out.data(), kCharacters};
}

}  // namespace parley::conversations::links
