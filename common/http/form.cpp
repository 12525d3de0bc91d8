#include "common/http/form.hpp"

#include <algorithm>

#include "common/http/list.hpp"
#include "common/http/problem.hpp"
#include "common/model/text.hpp"

namespace parley::http {

namespace {

constexpr std::size_t kMaxBoundary = 70;  // RFC 2046 5.1.1
constexpr std::size_t kMaxHeader = 4096;  // octets of one part's header
constexpr std::string_view kLineEnd = "\r\n";

Problem bad_form(std::string detail) { return Problem({.status = 400, .detail = "the form " + std::move(detail)}); }

// The value of a parameter of a field such as `form-data; name="file"; filename="a;b.csv"` (RFC 9110 5.6.6).
std::optional<std::string> parameter(std::string_view field, std::string_view name) {
  for (auto at = field.find(';'); at < field.size();) {
    const auto rest = field.substr(at + 1);
    const auto equals = rest.find('=');
    if (equals == rest.npos) break;
    const auto key = trimmed(rest.substr(0, equals));
    std::string value;
    auto end = equals + 1;
    while (end < rest.size() && (rest[end] == ' ' || rest[end] == '\t')) ++end;
    if (end < rest.size() && rest[end] == '"') {
      for (++end; end < rest.size() && rest[end] != '"'; ++end) {
        if (rest[end] == '\\' && end + 1 < rest.size()) ++end;
        value += rest[end];
      }
      end = std::min(rest.find(';', end), rest.size());
    } else {
      const auto stop = std::min(rest.find(';', end), rest.size());
      value = trimmed(rest.substr(end, stop - end));
      end = stop;
    }
    if (model::equals_ignoring_case(key, name)) return value;
    at += 1 + end;
  }
  return std::nullopt;
}

bool is_boundary(std::string_view text) {
  static constexpr std::string_view marks = "'()+_,-./:=? ";
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marks.find(c) != marks.npos;
  };
  return !text.empty() && text.size() <= kMaxBoundary && text.back() != ' ' &&
         std::all_of(text.begin(), text.end(), fits);
}

}  // namespace

std::string form_boundary(std::string_view content_type) {
  if (!model::equals_ignoring_case(trimmed(content_type.substr(0, content_type.find(';'))), "multipart/form-data"))
    return {};
  auto boundary = parameter(content_type, "boundary");
  if (!boundary || !is_boundary(*boundary)) throw bad_form("has no boundary in its Content-Type");
  return std::move(*boundary);
}

awaitable<bool> FormFile::more() {
  const auto piece = co_await body_.next();
  received_ += piece.size();
  buffer_ += piece;
  co_return !piece.empty();
}

// Returns what is before `end`. Throws if the form ends before, or if `end` is not within `most` octets.
awaitable<std::string_view> FormFile::next_before(std::string_view end, std::size_t most) {
  for (;;) {
    const auto found = buffer_.find(end);
    if (found <= most) co_return std::string_view(buffer_).substr(0, found);
    if (buffer_.size() >= most + end.size()) throw bad_form("has a part whose header is longer than 4096 octets");
    if (!co_await more()) throw bad_form("ends before its closing delimiter");
  }
}

// Drops everything up to the delimiter, and the delimiter.
awaitable<void> FormFile::pass_over() {
  for (;;) {
    const auto found = buffer_.find(delimiter_);
    if (found != buffer_.npos) {
      buffer_.erase(0, found + delimiter_.size());
      co_return;
    }
    if (buffer_.size() >= delimiter_.size()) buffer_.erase(0, buffer_.size() - delimiter_.size() + 1);
    if (!co_await more()) throw bad_form("has no part with the name \"file\"");
  }
}

void FormFile::read_header(std::string_view header) {
  is_file_ = false;
  content_type_.clear();
  while (!header.empty()) {
    const auto line = header.substr(0, header.find(kLineEnd));
    header.remove_prefix(std::min(line.size() + kLineEnd.size(), header.size()));
    const auto colon = std::min(line.find(':'), line.size());
    const auto value = trimmed(line.substr(std::min(colon + 1, line.size())));
    if (model::equals_ignoring_case(line.substr(0, colon), "Content-Disposition"))
      is_file_ = parameter(value, "name") == "file";
    else if (model::equals_ignoring_case(line.substr(0, colon), "Content-Type"))
      content_type_ = value;
  }
}

awaitable<void> FormFile::begin() {
  while (!is_file_) {
    co_await pass_over();
    while (buffer_.size() < 2 && co_await more()) {
    }
    if (buffer_.starts_with("--")) throw bad_form("has no part with the name \"file\"");
    const auto padding = co_await next_before(kLineEnd, kMaxHeader);
    if (!trimmed(padding).empty()) throw bad_form("has a line that begins with its boundary and is no delimiter");
    buffer_.erase(0, padding.size());
    // From the end of the delimiter's line on, so that a part without a header has one of no lines.
    const auto header = co_await next_before("\r\n\r\n", kMaxHeader);
    read_header(header.substr(std::min(header.size(), kLineEnd.size())));
    buffer_.erase(0, header.size() + 2 * kLineEnd.size());
    if (is_file_) before_ = received_ - buffer_.size();
  }
}

std::uint64_t FormFile::expect_size_in(std::uint64_t form_octets) {
  const auto around = before_ + delimiter_.size() + 2 + kLineEnd.size();
  if (form_octets < around) throw bad_form("ends before its closing delimiter");
  left_ = form_octets - around;
  return *left_;
}

void FormFile::give(std::size_t octets) {
  if (left_ && octets > *left_) throw bad_form("must end behind its file, with the closing delimiter and CRLF");
  if (left_) *left_ -= octets;
  given_ = octets;
}

awaitable<std::string_view> FormFile::next() {
  buffer_.erase(0, given_);
  given_ = 0;
  while (!ended_) {
    const auto found = buffer_.find(delimiter_);
    if (found == 0) {
      co_await read_end();
    } else {
      // What may be the beginning of the delimiter stays.
      const auto sure = buffer_.size() < delimiter_.size() ? 0 : buffer_.size() - delimiter_.size() + 1;
      give(found != buffer_.npos ? found : sure);
      if (given_ > 0) co_return std::string_view(buffer_).substr(0, given_);
      if (!co_await more()) throw bad_form("ends before its closing delimiter");
    }
  }
  co_return std::string_view();
}

// Behind the file: the closing delimiter, and at most an empty line.
awaitable<void> FormFile::read_end() {
  while (co_await more()) {
    if (buffer_.size() > delimiter_.size() + 2 + kLineEnd.size()) break;
  }
  const auto rest = std::string_view(buffer_).substr(delimiter_.size());
  if ((rest != "--" && rest != "--\r\n") || left_.value_or(0) > 0)
    throw bad_form("must end behind its file, with the closing delimiter and CRLF");
  buffer_.clear();
  ended_ = true;
}

}  // namespace parley::http
