#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <string>

#include "common/model/json.hpp"
#include "common/model/text.hpp"

namespace parley::model {

namespace json = boost::json;
using boost::system::error_code;

namespace {

enum class Refusal { none, duplicate_key, not_finite, far_number, inexact_integer, nul_character };

std::string_view text_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::duplicate_key:
      return "an object names a key twice";
    case Refusal::not_finite:
      return "a number is out of range";
    case Refusal::far_number:
      return "a number is out of range: neither 0 nor from 1e-32 to below 1e32";
    case Refusal::inexact_integer:
      return "an integer is beyond 64 bits, and would lose digits";
    case Refusal::nul_character:
      return "a string holds U+0000";
    case Refusal::none:
      break;
  }
  return "";
}

// PostgreSQL writes numbers out: one of five characters could come back with 300 digits otherwise.
constexpr double kMin = 1e-32, kMax = 1e32;

bool is_in_range(double value) { return value == 0 || (std::abs(value) >= kMin && std::abs(value) < kMax); }

// Whether an integer's text is what a number may have been written out as before: all of its digits, or the shortest
// that tell it from others and zeros behind them. So what an answer shows can be sent back, and nothing else loses
// digits.
bool is_kept(double value, std::string_view integer) {
  std::array<char, 512> buffer;
  const auto written = [&](auto... format) {
    auto* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...).ptr;
    return std::string(buffer.data(), end);
  };
  if (written(std::chars_format::fixed, 0) == integer) return true;
  auto shortest = written(std::chars_format::scientific);
  const auto exponent = shortest.find("e+");
  if (exponent == shortest.npos) return false;
  std::size_t places = 0;
  std::from_chars(shortest.data() + exponent + 2, shortest.data() + shortest.size(), places);
  shortest.resize(exponent);
  std::erase(shortest, '.');
  shortest.resize(places + 1 + (value < 0 ? 1 : 0), '0');
  return shortest == integer;
}

enum class From { us, client, stranger };

// Builds the document as json::parser does, and on the way refuses, or mends, what that one lets through. The
// signatures are those that json::basic_parser calls.
template <From from>
class Handler {
  static constexpr bool lenient = from == From::stranger;

 public:
  static constexpr std::size_t max_object_size = 4096;
  static constexpr std::size_t max_array_size = 100'000;
  // Repaired text grows up to threefold and must still be readable.
  static constexpr std::size_t max_key_size = lenient ? 16 << 20 : 1024;
  static constexpr std::size_t max_string_size = lenient ? 16 << 20 : 1 << 20;

  json::value_stack stack;
  Refusal refusal = Refusal::none;

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t size, error_code&) {
    stack.push_array(size);
    return true;
  }
  bool on_object_begin(error_code&) {
    if (!lenient) first_key_.push_back(keys_.size());
    return true;
  }
  bool on_object_end(std::size_t size, error_code& error) {
    if (lenient) {
      stack.push_object(size);
      return true;
    }
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(first_key_.back());
    std::sort(first, keys_.end());
    if (std::adjacent_find(first, keys_.end()) != keys_.end()) return refuse(Refusal::duplicate_key, error);
    keys_.resize(first_key_.back());
    first_key_.pop_back();
    stack.push_object(size);
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, error_code&) { return gather(part); }
  bool on_string(json::string_view last, std::size_t, error_code& error) {
    const auto text = whole(last);
    if (lenient && (text.find('\0') != text.npos || !count_characters(text))) {
      const auto better = repaired(text);
      stack.push_string(better);
    } else {
      if (text.find('\0') != text.npos) return refuse(Refusal::nul_character, error);
      stack.push_string({text.data(), text.size()});
    }
    gathered_.clear();
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t, error_code&) { return gather(part); }
  bool on_key(json::string_view last, std::size_t, error_code& error) {
    const auto text = whole(last);
    if (lenient) {
      const auto better = repaired(text);
      stack.push_key(better);
    } else {
      if (text.find('\0') != text.npos) return refuse(Refusal::nul_character, error);
      keys_.emplace_back(text);
      stack.push_key({text.data(), text.size()});
    }
    gathered_.clear();
    return true;
  }
  bool on_number_part(json::string_view, error_code&) { return true; }
  bool on_int64(std::int64_t value, json::string_view, error_code&) {
    stack.push_int64(value);
    return true;
  }
  bool on_uint64(std::uint64_t value, json::string_view, error_code&) {
    stack.push_uint64(value);
    return true;
  }
  bool on_double(double value, json::string_view text, error_code& error) {
    std::from_chars(text.data(), text.data() + text.size(), value);  // Boost 1.81 may miss the nearest double
    if (lenient && !std::isfinite(value)) return on_null(error);
    if (!std::isfinite(value)) return refuse(Refusal::not_finite, error);
    if (from == From::client && !is_in_range(value)) return refuse(Refusal::far_number, error);
    if (!lenient && text.find_first_of(".eE") == text.npos && !is_kept(value, text))
      return refuse(Refusal::inexact_integer, error);
    stack.push_double(value);
    return true;
  }
  bool on_bool(bool value, error_code&) {
    stack.push_bool(value);
    return true;
  }
  bool on_null(error_code&) {
    stack.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, error_code&) { return true; }
  bool on_comment(json::string_view, error_code&) { return true; }

 private:
  bool refuse(Refusal why, error_code& error) {
    refusal = why;
    error = json::error::exception;
    return false;
  }
  // A string with escapes comes in parts.
  bool gather(json::string_view part) {
    gathered_.append(part.data(), part.size());
    return true;
  }
  std::string_view whole(json::string_view last) {
    if (gathered_.empty()) return {last.data(), last.size()};
    gathered_.append(last.data(), last.size());
    return gathered_;
  }

  std::string gathered_;
  std::vector<std::string> keys_;       // of all objects still open, innermost last
  std::vector<std::size_t> first_key_;  // where each open object's keys begin
};

template <From from>
std::optional<json::value> parse_with(std::string_view text, Fault& fault) {
  constexpr bool lenient = from == From::stranger;
  json::parse_options options;
  options.max_depth = lenient ? 64 : 32;
  options.allow_invalid_utf8 = lenient;
  json::basic_parser<Handler<from>> parser(options);
  // The parser finds U+0000 only where it is escaped or raw inside a string; both arrive at the handler.
  error_code error;
  parser.handler().stack.reset({});
  const auto used = parser.write_some(false, text.data(), text.size(), error);
  if (!error && used < text.size()) error = json::error::extra_data;
  if (!error) return parser.handler().stack.release();
  fault.detail = text_of(parser.handler().refusal);
  if (fault.detail.empty()) fault.detail = "not valid JSON: " + error.message() + " at octet " + std::to_string(used);
  return std::nullopt;
}

// The code unit of an escape \uXXXX at the front of a text, or nullopt.
std::optional<unsigned> escaped_unit(std::string_view text) {
  unsigned unit = 0;
  if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
  const auto* const end = text.data() + 6;
  if (std::from_chars(text.data() + 2, end, unit, 16).ptr != end) return std::nullopt;
  return unit;
}

// Halves of surrogate pairs, which who cuts texts by UTF-16 units leaves, become U+FFFD.
std::string without_lone_surrogates(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto keep = [&](std::size_t octets) {
    out += text.substr(0, octets);
    text.remove_prefix(std::min(octets, text.size()));
  };
  while (!text.empty()) {
    const auto unit = escaped_unit(text);
    if (!unit) {
      keep(text.front() == '\\' ? 2 : 1);
    } else if (*unit < 0xD800 || *unit > 0xDFFF) {
      keep(6);
    } else if (const auto next = escaped_unit(text.substr(6));
               *unit < 0xDC00 && next && *next >= 0xDC00 && *next <= 0xDFFF) {
      keep(12);
    } else {
      out += "\\ufffd";
      text.remove_prefix(6);
    }
  }
  return out;
}

}  // namespace

std::optional<json::value> parse(std::string_view text, Fault& fault) { return parse_with<From::us>(text, fault); }

std::optional<json::value> parse_of_client(std::string_view text, Fault& fault) {
  return parse_with<From::client>(text, fault);
}

std::optional<json::value> parse_leniently(std::string_view text, Fault& fault) {
  auto value = parse_with<From::stranger>(text, fault);
  if (value || text.find("\\u") == text.npos) return value;
  return parse_with<From::stranger>(without_lone_surrogates(text), fault);
}

}  // namespace parley::model
