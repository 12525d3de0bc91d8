#include "contacts/imports/csv.hpp"

#include <algorithm>
#include <cstring>

#include "common/model/text.hpp"

namespace parley::contacts::imports {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Line {
  std::string_view text;  // without the line end
  std::size_t octets;     // with the line end
};

// The first line of a file; quoted line ends do not end it.
std::optional<Line> first_line(std::string_view data, bool last) {
  bool quoted = false;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] == '"') quoted = !quoted;
    if (quoted || (data[i] != '\n' && data[i] != '\r')) continue;
    const bool both = data.substr(i).starts_with("\r\n");
    if (data[i] == '\r' && i + 1 == data.size() && !last) return std::nullopt;
    return Line{data.substr(0, i), i + (both ? 2 : 1)};
  }
  if (!last && data.size() < kMaxRecordLength) return std::nullopt;
  return Line{data, data.size()};
}

char most_frequent_delimiter(std::string_view line) {
  constexpr std::string_view candidates = ",;\t";
  std::size_t counts[candidates.size()] = {};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    const auto which = quoted ? candidates.npos : candidates.find(c);
    if (which != candidates.npos) ++counts[which];
  }
  return candidates[static_cast<std::size_t>(std::max_element(std::begin(counts), std::end(counts)) - counts)];
}

std::uint64_t count_lines(std::string_view text) {
  std::uint64_t lines = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    lines += text[i] == '\n' || (text[i] == '\r' && !text.substr(i).starts_with("\r\n"));
  return lines;
}

}  // namespace

std::optional<Preamble> read_preamble(std::string_view data, bool last) {
  Preamble out;
  if (data.size() < kByteOrderMark.size() && !last) return std::nullopt;
  if (data.starts_with(kByteOrderMark)) out.octets = kByteOrderMark.size();
  const auto line = first_line(data.substr(out.octets), last);
  if (!line) return std::nullopt;
  if (line->text.size() == 5 && model::equals_ignoring_case(line->text.substr(0, 4), "sep=")) {
    out.octets += line->octets;
    out.lines = 1;
    out.delimiter = line->text[4];
  } else {
    out.delimiter = most_frequent_delimiter(line->text);
  }
  return out;
}

CsvReader::CsvReader(char delimiter, std::uint64_t line) : delimiter_(delimiter), line_(line), next_line_(line) {
  unescaped_.reserve(kMaxRecordLength);
}

auto CsvReader::next(std::string_view data, bool last) -> Step {
  line_ = next_line_;
  consumed_ = at_ = 0;
  has_quoted_ = in_quotes_ = false;
  fields_.clear();
  unescaped_.clear();
  fault_ = {};
  if (data.empty()) return last ? Step::end : Step::need_more;
  // The limit applies to the record, so that the result does not depend on how much data has arrived.
  const bool cut = data.size() > kMaxRecordLength;
  const auto window = data.substr(0, kMaxRecordLength);
  auto field = Field::more;
  while (field == Field::more) field = read_field(window, last && !cut);
  if (field == Field::last) return finish(window);
  if (!cut && !last) return Step::need_more;
  fault_ = in_quotes_ ? "a quote that is opened in the record which begins here is not closed"
                      : "the record that begins here is longer than 64 KiB";
  return Step::broken;
}

auto CsvReader::finish(std::string_view data) -> Step {
  consumed_ = at_;
  text_ = data.substr(0, at_);
  next_line_ += has_quoted_ ? count_lines(data.substr(0, at_)) : 1;
  return fields_.size() == 1 && fields_[0].empty() && !has_quoted_ ? Step::blank : Step::record;
}

auto CsvReader::read_field(std::string_view data, bool last) -> Field {
  std::string_view field;
  if (at_ < data.size() && data[at_] == '"') {
    has_quoted_ = in_quotes_ = true;
    if (!read_quoted(data, last, field)) return Field::need_more;
    in_quotes_ = false;
    const char after = at_ < data.size() ? data[at_] : '\n';
    if (after != delimiter_ && after != '\n' && after != '\r') fault_ = "there is text behind a closing quote";
  }
  const auto from = at_;
  while (at_ < data.size() && data[at_] != delimiter_ && data[at_] != '\n' && data[at_] != '\r') ++at_;
  if (!field.data()) field = data.substr(from, at_ - from);
  fields_.push_back(field);
  return end_field(data, last);
}

// Reads the quoted text; false if the closing quote has not arrived.
bool CsvReader::read_quoted(std::string_view data, bool last, std::string_view& field) {
  const auto begin = unescaped_.size();
  auto from = ++at_;
  for (;;) {
    const auto quote = data.find('"', at_);
    if (quote == data.npos) return false;
    if (quote + 1 == data.size() && !last) return false;  // may be the first of a doubled quote
    at_ = quote + 1;
    if (at_ == data.size() || data[at_] != '"') {
      if (unescaped_.size() == begin) {
        field = data.substr(from, quote - from);
      } else {
        unescaped_.append(data.substr(from, quote - from));
        field = std::string_view(unescaped_).substr(begin);
      }
      return true;
    }
    unescaped_.append(data.substr(from, at_ - from));  // including the first of the two quotes
    from = ++at_;
  }
}

auto CsvReader::end_field(std::string_view data, bool last) -> Field {
  if (at_ == data.size()) return last ? Field::last : Field::need_more;
  const char end = data[at_];
  if (end == delimiter_) {
    ++at_;
    return Field::more;
  }
  if (end == '\r' && at_ + 1 == data.size() && !last) return Field::need_more;  // a line feed may follow
  at_ += data.substr(at_).starts_with("\r\n") ? 2 : 1;
  return Field::last;
}

}  // namespace parley::contacts::imports
