#include "common/http/etag.hpp"

#include <sodium/crypto_shorthash_siphash24.h>
#include <sodium/utils.h>

#include <array>

#include "common/model/text.hpp"

namespace parley::http {

namespace {

constexpr std::string_view kBlank = " \t";

void skip(std::string_view& text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

// Removes and returns a tag `[ "W/" ] DQUOTE *etagc DQUOTE`, or "".
std::string_view take_tag(std::string_view& text) {
  const std::size_t quote = text.starts_with("W/") ? 2 : 0;
  if (text.size() <= quote || text[quote] != '"') return {};
  const auto end = text.find('"', quote + 1);
  if (end == text.npos) return {};
  const auto tag = text.substr(0, end + 1);
  text.remove_prefix(end + 1);
  return tag;
}

template <class Judge>
bool line_names(std::string_view text, const Judge& is_it) {
  skip(text, kBlank);
  if (text.starts_with('*')) return text.find_first_not_of(kBlank, 1) == text.npos;
  for (;;) {
    skip(text, " \t,");
    const auto listed = take_tag(text);
    if (listed.empty()) return false;
    if (is_it(listed)) return true;
    skip(text, kBlank);
    if (!text.starts_with(',')) return false;
  }
}

template <class Judge>
bool names(const Request& request, std::string_view field, const Judge& is_it) {
  for (const auto& [name, value] : request.fields)
    if (model::equals_ignoring_case(name, field) && line_names(value, is_it)) return true;
  return false;
}

// SipHash is three times as fast as a collision-resistant hash; a client that forges a collision deceives only itself.
// The key is constant, because every process must make the same tags.
std::string hash_of(std::string_view octets) {
  static constexpr std::array<unsigned char, crypto_shorthash_siphashx24_KEYBYTES> key{};
  std::array<unsigned char, crypto_shorthash_siphashx24_BYTES> hash;
  crypto_shorthash_siphashx24(hash.data(), reinterpret_cast<const unsigned char*>(octets.data()), octets.size(),
                              key.data());
  std::array<char, 2 * crypto_shorthash_siphashx24_BYTES + 1> text;
  return sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
}

}  // namespace

void add_to_version(std::string& version, std::span<const model::Uuid> ids) {
  std::string octets;
  for (const auto& id : ids) id.append_to(octets);
  version.append(".").append(hash_of(octets));
}

bool matches_version(const Request& request, std::string_view version) {
  const auto beginning = '"' + std::string(version) + '-';
  return names(request, "If-Match", [&](std::string_view listed) { return listed.starts_with(beginning); });
}

bool names_tag(const Request& request, std::string_view tag) {
  return names(request, "If-None-Match", [&](std::string_view listed) {
    if (listed.starts_with("W/")) listed.remove_prefix(2);
    return listed == tag;
  });
}

void add_etag(const Request& request, Response& response, std::string_view version) {
  auto tag = '"' + std::string(version);
  if (!version.empty()) tag += '-';
  tag += hash_of(response.body) + '"';
  response.add("ETag", tag);
  // Responses depend on the member, so no shared cache may keep them, and a private one must revalidate.
  response.add("Cache-Control", "private, no-cache");
  if (!names_tag(request, tag)) return;
  response.status = 304;
  response.content_type = {};
  response.body.clear();
}

}  // namespace parley::http
