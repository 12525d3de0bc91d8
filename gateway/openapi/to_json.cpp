// Build tool: converts a YAML document to compact JSON, embedded in a C++ source file.
// to_json INPUT.yaml OUTPUT.cpp
// Scalars have the types of YAML 1.2's core schema (section 10.3.2): plain ones may be null, booleans or numbers;
// quoted and block ones are strings. Keys keep their order. Refuses what JSON cannot express: duplicate keys,
// infinities, merge keys, tags.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

[[noreturn]] void refuse(const YAML::Node& node, const std::string& why) {
  throw std::runtime_error("line " + std::to_string(node.Mark().line + 1) + ": " + why);
}

void append_string(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += hex[c >> 4];
      out += hex[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string from_base(const YAML::Node& node, std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value, base);
  if (error != std::errc{} || end != digits.end()) refuse(node, "an integer beyond 64 bits");
  return std::to_string(value);
}

// Spells a decimal number as JSON: no plus, no leading zeros, digits on both sides of the point.
std::string decimal(std::string text) {
  std::string sign;
  if (text.front() == '-') sign = "-";
  if (text.front() == '-' || text.front() == '+') text.erase(0, 1);
  const auto exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::string exponent = text.substr(exponent_at);
  text.resize(exponent_at);
  const auto point = std::min(text.find('.'), text.size());
  std::string whole = text.substr(0, point);
  const std::string fraction = point < text.size() ? text.substr(point + 1) : std::string{};
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  if (whole.empty()) whole = "0";
  return sign + whole + (fraction.empty() ? "" : "." + fraction) + exponent;
}

// The JSON of a plain scalar that is not a string, by the core schema's regular expressions.
std::optional<std::string> resolve(const YAML::Node& node, const std::string& text) {
  static const std::regex decimal_number(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  static const std::regex octal(R"(0o[0-7]+)");
  static const std::regex hexadecimal(R"(0x[0-9a-fA-F]+)");
  static const std::regex not_finite(R"([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))");
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return "null";
  if (text == "true" || text == "True" || text == "TRUE") return "true";
  if (text == "false" || text == "False" || text == "FALSE") return "false";
  if (std::regex_match(text, decimal_number)) return decimal(text);
  if (std::regex_match(text, octal)) return from_base(node, std::string_view(text).substr(2), 8);
  if (std::regex_match(text, hexadecimal)) return from_base(node, std::string_view(text).substr(2), 16);
  if (std::regex_match(text, not_finite)) refuse(node, "JSON has no infinities");
  return std::nullopt;
}

void append_scalar(std::string& out, const YAML::Node& node) {
  // yaml-cpp's tags: "?" is a plain scalar without a tag, "!" a quoted or block one.
  if (node.Tag() == "?") {
    if (const auto json = resolve(node, node.Scalar())) {
      out += *json;
      return;
    }
  } else if (node.Tag() != "!" && node.Tag() != "tag:yaml.org,2002:str") {
    refuse(node, "a tag: " + node.Tag());
  }
  append_string(out, node.Scalar());
}

void append(std::string& out, const YAML::Node& node, int depth);

void append_map(std::string& out, const YAML::Node& node, int depth) {
  std::set<std::string> keys;
  out += '{';
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) refuse(node, "a key that is no scalar");
    const std::string& key = entry.first.Scalar();
    if (key == "<<") refuse(entry.first, "a merge key");
    if (!keys.insert(key).second) refuse(entry.first, "the key " + key + " twice");
    if (keys.size() > 1) out += ',';
    append_string(out, key);
    out += ':';
    append(out, entry.second, depth + 1);
  }
  out += '}';
}

void append(std::string& out, const YAML::Node& node, int depth) {
  if (depth > 64) refuse(node, "nested too deep");  // an alias may contain itself
  switch (node.Type()) {
    case YAML::NodeType::Map:
      append_map(out, node, depth);
      break;
    case YAML::NodeType::Sequence: {
      char before = '[';
      for (const auto& element : node) {
        out += before;
        before = ',';
        append(out, element, depth + 1);
      }
      out += before == '[' ? "[]" : "]";
      break;
    }
    case YAML::NodeType::Scalar:
      append_scalar(out, node);
      break;
    case YAML::NodeType::Null:
    case YAML::NodeType::Undefined:
      out += "null";
  }
}

// A C++ source that defines the document, as string literals of about a hundred octets.
std::string embed(std::string_view json) {
  std::string out =
      "// Made from openapi.yaml.\n#include \"gateway/openapi/document.hpp\"\n\nnamespace parley::gateway {\n\n"
      "const std::string_view openapi_json(";
  for (std::size_t at = 0; at < json.size(); at += 100) {
    out += "\n    \"";
    for (const char c : json.substr(at, 100)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out + ",\n    " + std::to_string(json.size()) + ");\n\n}  // namespace parley::gateway\n";
}

void write(const char* path, const std::string& text) {
  std::ofstream output(path, std::ios::binary | std::ios::trunc);
  output << text;
  if (!output.flush()) throw std::runtime_error("the output cannot be written");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw std::runtime_error("to_json INPUT.yaml OUTPUT.cpp OUTPUT.json");
  std::ifstream input(argv[1], std::ios::binary);
  if (!input) throw std::runtime_error("cannot be read");
  const std::string yaml{std::istreambuf_iterator<char>(input), {}};
  std::string json;
  append(json, YAML::Load(yaml), 0);
  write(argv[2], embed(json));
  write(argv[3], json);
} catch (const std::exception& error) {
  std::cerr << (argc > 1 ? argv[1] : "to_json") << ": " << error.what() << '\n';
  return 1;
}
