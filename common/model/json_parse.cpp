#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <string>

#include "common/model/json.hpp"

namespace parley::model {

namespace json = boost::json;
using boost::system::error_code;

namespace {

enum class Refusal { none, duplicate_key, not_finite, number_too_big, nul_character };

std::string_view text_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::duplicate_key:
      return "an object names a key twice";
    case Refusal::not_finite:
      return "a number is out of range";
    case Refusal::number_too_big:
      return "an integer is beyond 64 bits";
    case Refusal::nul_character:
      return "a string holds U+0000";
    case Refusal::none:
      break;
  }
  return "";
}

// Builds the document as json::parser does, and refuses on the way what that one lets through. The signatures are those
// that json::basic_parser calls.
class StrictHandler {
 public:
  static constexpr std::size_t max_object_size = 4096;
  static constexpr std::size_t max_array_size = 100'000;
  static constexpr std::size_t max_key_size = 1024;
  static constexpr std::size_t max_string_size = 1 << 20;

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
    first_key_.push_back(keys_.size());
    return true;
  }
  bool on_object_end(std::size_t size, error_code& error) {
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
    if (text.find('\0') != text.npos) return refuse(Refusal::nul_character, error);
    stack.push_string({text.data(), text.size()});
    gathered_.clear();
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t, error_code&) { return gather(part); }
  bool on_key(json::string_view last, std::size_t, error_code& error) {
    const auto text = whole(last);
    if (text.find('\0') != text.npos) return refuse(Refusal::nul_character, error);
    keys_.emplace_back(text);
    stack.push_key({text.data(), text.size()});
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
    if (!std::isfinite(value)) return refuse(Refusal::not_finite, error);
    if (text.find_first_of(".eE") == text.npos) return refuse(Refusal::number_too_big, error);
    std::from_chars(text.data(), text.data() + text.size(), value);  // Boost 1.81 may miss the nearest double
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

}  // namespace

std::optional<json::value> parse(std::string_view text, Fault& fault) {
  json::parse_options options;
  options.max_depth = 32;
  json::basic_parser<StrictHandler> parser(options);
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

}  // namespace parley::model
