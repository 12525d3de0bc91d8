#include "contacts/imports/columns.hpp"

#include <algorithm>
#include <set>

#include "common/model/text.hpp"

namespace parley::contacts::imports {

namespace {

using Kind = Column::Kind;

constexpr std::size_t kMaxColumns = 256;
constexpr std::size_t kMaxHeaderLength = 255;  // characters
constexpr std::string_view kAttributes = "attributes.";

std::vector<std::string> split(std::string_view text, char separator, bool keep_escapes) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      if (keep_escapes) parts.back() += text[i];
      parts.back() += text[++i];
    } else if (text[i] == separator) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

bool read_target(std::string_view target, Kind& kind, std::string& key) {
  key.clear();
  if (target == "name") {
    kind = Kind::name;
  } else if (target == "phone") {
    kind = Kind::phone;
  } else if (target == "tags") {
    kind = Kind::tags;
  } else if (target == "-") {
    kind = Kind::ignored;
  } else if (target.starts_with(kAttributes) && target.size() > kAttributes.size()) {
    kind = Kind::attribute;
    key = target.substr(kAttributes.size());
  } else {
    return false;
  }
  return true;
}

Column usual(std::string_view header) {
  Column column{Kind::attribute, std::string(header), std::string(header)};
  if (header.empty()) column.kind = Kind::ignored;
  for (const auto& [name, kind] : {std::pair("name", Kind::name), {"phone", Kind::phone}, {"tags", Kind::tags}})
    if (model::equals_ignoring_case(header, name)) column.kind = kind;
  if (header.size() > kAttributes.size() &&
      model::equals_ignoring_case(header.substr(0, kAttributes.size()), kAttributes))
    column.key = header.substr(kAttributes.size());
  if (column.kind != Kind::attribute) column.key.clear();
  return column;
}

// Replaces invalid UTF-8, which a response must not contain.
std::string quoted(std::string_view text) { return "\"" + model::repaired(text) + "\""; }

void check_meanings(const std::vector<Column>& columns, http::Faults& faults) {
  std::set<std::string> seen;
  for (const auto& column : columns) {
    if (column.kind == Kind::ignored) continue;
    const auto target = target_of(column);
    if (!seen.insert(target).second)
      faults.add("", "line 1: two columns are " + model::repaired(target) + ": see mapping");
  }
  if (seen.contains("phone")) return;
  std::string known;
  for (const auto& column : columns)
    if (known.size() < 500) known.append(known.empty() ? "" : ", ").append(quoted(column.header));
  faults.add("", "line 1: no column is the phone; name it with mapping=phone:COLUMN. The columns are " + known);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\r\n");
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") + 1 - from);
}

std::vector<Mapping> read_mapping(std::string_view text, http::Faults& faults) {
  std::vector<Mapping> out;
  if (text.empty()) return out;
  for (const auto& entry : split(text, ',', true)) {
    const auto parts = split(entry, ':', false);
    Mapping mapping{.header = {}, .kind = Kind::ignored, .key = {}};
    if (parts.size() != 2 || trimmed(parts[1]).empty()) {
      faults.add("?mapping", quoted(entry) + " is not TARGET:COLUMN");
    } else if (!read_target(trimmed(parts[0]), mapping.kind, mapping.key)) {
      faults.add("?mapping", quoted(parts[0]) + " is not one of name, phone, tags, attributes.KEY, -");
    } else {
      mapping.header = trimmed(parts[1]);
      const bool twice = std::any_of(out.begin(), out.end(), [&](const Mapping& other) {
        return model::equals_ignoring_case(other.header, mapping.header);
      });
      if (twice) faults.add("?mapping", "names the column " + quoted(mapping.header) + " twice");
      out.push_back(std::move(mapping));
    }
  }
  return out;
}

std::vector<Column> choose_columns(std::span<const std::string_view> headers, const std::vector<Mapping>& mapping,
                                   http::Faults& faults) {
  std::vector<Column> columns;
  if (headers.size() > kMaxColumns) {
    faults.add("", "line 1: there must be at most " + std::to_string(kMaxColumns) + " columns");
    return columns;
  }
  std::set<const Mapping*> used;
  for (const auto text : headers) {
    const auto header = trimmed(text);
    faults.check_text("", header, 0, kMaxHeaderLength);
    if (header.find('\0') != header.npos) faults.add("", "line 1: a header has the character U+0000");
    auto column = usual(header);
    for (const auto& entry : mapping)
      if (model::equals_ignoring_case(entry.header, header)) {
        column.kind = entry.kind;
        column.key = entry.key;
        used.insert(&entry);
      }
    columns.push_back(std::move(column));
  }
  // A column named phone is an attribute if the mapping names another column as the phone.
  for (auto& column : columns) {
    const auto is_it = [&](const Mapping& entry) { return entry.kind == column.kind && entry.key == column.key; };
    const bool by_mapping = std::any_of(mapping.begin(), mapping.end(), [&](const Mapping& entry) {
      return model::equals_ignoring_case(entry.header, column.header);
    });
    const bool taken = column.kind != Kind::ignored && std::any_of(mapping.begin(), mapping.end(), is_it);
    if (!by_mapping && taken)
      column = {column.kind == Kind::attribute ? Kind::ignored : Kind::attribute, column.header, column.header};
  }
  for (const auto& entry : mapping)
    if (!used.contains(&entry)) faults.add("?mapping", "the file has no column " + quoted(entry.header));
  check_meanings(columns, faults);
  return columns;
}

std::string target_of(const Column& column) {
  switch (column.kind) {
    case Kind::name:
      return "name";
    case Kind::phone:
      return "phone";
    case Kind::tags:
      return "tags";
    case Kind::attribute:
      return std::string(kAttributes) + column.key;
    case Kind::ignored:
      break;
  }
  return "-";
}

Column column_of(std::string_view target, std::string header) {
  Column column;
  read_target(target, column.kind, column.key);
  column.header = std::move(header);
  return column;
}

}  // namespace parley::contacts::imports
