#pragma once
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <string>

namespace parley::support {

// A process's limit in octets in deploy/kubernetes/base. Unlimited with AddressSanitizer, which keeps freed memory.
inline double memory_limit(const std::string& file_name) {
#if __has_feature(address_sanitizer)
  return file_name.empty() ? 0 : std::numeric_limits<double>::infinity();
#else
  std::ifstream file(PARLEY_SOURCE_DIR "/deploy/kubernetes/base/" + file_name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::smatch found;
  REQUIRE(std::regex_search(text, found, std::regex(R"(limits: \{ memory: (\d+)Mi \})")));
  return std::stod(found[1]) * 1024 * 1024;
#endif
}

}  // namespace parley::support
