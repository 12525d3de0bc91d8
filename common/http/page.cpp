#include "common/http/page.hpp"

#include <sodium/utils.h>

#include "common/model/text.hpp"

namespace parley::http {

namespace {

constexpr int kCoding = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::size_t kIdCharacters = 36;
constexpr std::size_t kMaxSearchCharacters = 100;

std::string encode(const std::string& text) {
  std::string out(sodium_base64_ENCODED_LEN(text.size(), kCoding), '\0');
  sodium_bin2base64(out.data(), out.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(), kCoding);
  out.pop_back();  // the NUL that libsodium appends
  return out;
}

std::string decode(const std::string& text) {
  std::string out(text.size(), '\0');
  std::size_t length = 0;
  const bool good = sodium_base642bin(reinterpret_cast<unsigned char*>(out.data()), out.size(), text.data(),
                                      text.size(), nullptr, &length, nullptr, kCoding) == 0;
  out.resize(good ? length : 0);
  return out;
}

// The text is `order LF id text`.
std::optional<Cursor> parse(std::string_view order_name, std::string_view text) {
  if (!text.starts_with(order_name)) return std::nullopt;
  text.remove_prefix(order_name.size());
  if (!text.starts_with('\n')) return std::nullopt;
  text.remove_prefix(1);
  const auto id = model::Uuid::parse(text.substr(0, kIdCharacters));
  if (!id) return std::nullopt;
  text.remove_prefix(kIdCharacters);
  if (text.find('\0') != text.npos || !model::count_characters(text)) return std::nullopt;
  return Cursor{*id, std::string(text)};
}

}  // namespace

Paging read_paging(const PageQuery& query, Faults& faults) {
  if (query.cursor && query.page.value_or(1) != 1) faults.add("?cursor", "excludes page: skip counts from the cursor");
  return read_paging(query.skip, query.page, query.per_page, query.limit, faults);
}

CreationFilter read_creation_filter(const CreationQuery& query) {
  Faults faults;
  CreationFilter filter;
  filter.paging = read_paging(
      PageQuery{query.skip, query.page, query.per_page, query.limit, query.order, {}, query.cursor}, faults);
  filter.descending = query.order.value_or(Order::desc) == Order::desc;
  if (query.cursor)
    if (const auto cursor = read_cursor(filter.order_name(), *query.cursor, faults)) filter.after = cursor->id;
  faults.throw_if_any();
  return filter;
}

std::string read_search(const PageQuery& query, Faults& faults) {
  auto search = query.search.value_or("");
  faults.check_text("?search", search, 0, kMaxSearchCharacters);
  return search;
}

std::string write_cursor(std::string_view order_name, const Cursor& cursor) {
  std::string text(order_name);
  text += '\n';
  cursor.id.append_to(text);
  text += cursor.text;
  return encode(text);
}

std::optional<Cursor> read_cursor(std::string_view order_name, const std::string& text, Faults& faults) {
  auto cursor = parse(order_name, decode(text));
  // Requires the canonical form: libsodium decodes some non-ASCII octets as a dash, and an id may be in capitals.
  if (cursor && write_cursor(order_name, *cursor) != text) cursor.reset();
  if (!cursor) faults.add("?cursor", "is not one that this list gave for this order");
  return cursor;
}

void throw_too_long(std::size_t fitting) {
  const auto must = "must be at most " + std::to_string(fitting) + " here: the page would be longer than " +
                    std::to_string(kMaxPageOctets >> 20) + " MiB";
  throw Problem({.status = 400, .detail = "?per_page " + must, .errors = {{"?per_page", must}}});
}

std::string next_link(const Request& request, const std::string& cursor) {
  std::string target(request.path);
  char before = '?';
  for (const auto& [name, value] : parse_query(request.query)) {
    if (name == "cursor" || name == "skip" || name == "page") continue;
    target += before;
    before = '&';
    append_encoded(target, name);
    target += '=';
    append_encoded(target, value);
  }
  target += before;
  return "<" + target + "cursor=" + cursor + ">; rel=\"next\"";
}

}  // namespace parley::http
