#include "common/http/etag.hpp"

#include <sodium/crypto_shorthash_siphash24.h>

#include <array>

#include "common/model/text.hpp"

namespace parley::http {

namespace {

constexpr std::string_view kBlank = " \t";

void skip(std::string_view& text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

// entity-tag = [ "W/" ] DQUOTE *etagc DQUOTE. Takes one from the front, "" if there is none.
std::string_view take_tag(std::string_view& text) {
  const std::size_t quote = text.starts_with("W/") ? 2 : 0;
  if (text.size() <= quote || text[quote] != '"') return {};
  const auto end = text.find('"', quote + 1);
  if (end == text.npos) return {};
  const auto tag = text.substr(0, end + 1);
  text.remove_prefix(end + 1);
  return tag;
}

// One line of a field.
bool line_names(std::string_view text, std::string_view tag, bool weakly) {
  skip(text, kBlank);
  if (text.starts_with('*')) return text.find_first_not_of(kBlank, 1) == text.npos;
  for (;;) {
    skip(text, " \t,");
    auto listed = take_tag(text);
    if (listed.empty()) return false;
    if (weakly && listed.starts_with("W/")) listed.remove_prefix(2);
    if (listed == tag) return true;
    skip(text, kBlank);
    if (!text.starts_with(',')) return false;
  }
}

bool names(const Request& request, std::string_view field, std::string_view tag, bool weakly) {
  for (const auto& [name, value] : request.fields)
    if (model::equals_ignoring_case(name, field) && line_names(value, tag, weakly)) return true;
  return false;
}

}  // namespace

// SipHash costs a third of a hash that nobody could make collide; who did would only deceive themselves, and every
// process has to make the same tags.
std::string etag_of(std::string_view octets) {
  static constexpr std::array<unsigned char, crypto_shorthash_siphashx24_KEYBYTES> key{};
  std::array<unsigned char, crypto_shorthash_siphashx24_BYTES> hash;
  crypto_shorthash_siphashx24(hash.data(), reinterpret_cast<const unsigned char*>(octets.data()), octets.size(),
                              key.data());
  static constexpr char hex[] = "0123456789abcdef";
  std::string tag = "\"";
  for (const auto octet : hash) {
    tag += hex[octet >> 4];
    tag += hex[octet & 15];
  }
  tag += '"';
  return tag;
}

bool names_strongly(const Request& request, std::string_view field, std::string_view tag) {
  return names(request, field, tag, false);
}

bool names_weakly(const Request& request, std::string_view field, std::string_view tag) {
  return names(request, field, tag, true);
}

void add_etag(const Request& request, Response& response) {
  const auto tag = etag_of(response.body);
  response.add("ETag", tag);
  // What a member may see is no other's to keep, and no answer is good without asking again.
  response.add("Cache-Control", "private, no-cache");
  if (!names_weakly(request, "If-None-Match", tag)) return;
  response.status = 304;
  response.content_type = {};
  response.body.clear();
}

}  // namespace parley::http
