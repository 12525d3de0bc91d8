#pragma once
// What the targets have in common. Each is a file NAME.cpp with a FUZZ(NAME) that says what must hold for whatever
// octets there are; where it does not, the process ends, and libFuzzer keeps the octets.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

// Of lists that may be left out, which answers do not have: before the writer that calls it.
namespace parley::model {
template <class T>
void write(std::string& out, const std::vector<T>& values);
}

#include "common/http/problem.hpp"

namespace parley::fuzz {

// The octets, taken from the front. What is not there is 0 or empty.
class Input {
 public:
  explicit Input(std::string_view octets) : rest_(octets) {}

  // A number below `count`.
  std::size_t choice(std::size_t count) { return count > 0 ? octet() % count : 0; }
  // Up to the next line feed, which is taken too.
  std::string line() { return std::string(take(rest_.find('\n'), 1)); }
  std::string octets(std::size_t count) { return std::string(take(count, 0)); }
  // All that is left.
  std::string_view rest() { return take(rest_.size(), 0); }
  bool empty() const { return rest_.empty(); }

 private:
  unsigned char octet() {
    const auto one = take(1, 0);
    return one.empty() ? '\0' : static_cast<unsigned char>(one.front());
  }
  std::string_view take(std::size_t count, std::size_t behind) {
    const auto out = rest_.substr(0, count);
    rest_.remove_prefix(std::min(out.size() + behind, rest_.size()));
    return out;
  }
  std::string_view rest_;
};

using Target = void (*)(Input);
// Makes a target known; see main.cpp.
bool add(const char* name, Target target);

[[noreturn]] inline void fail(const char* what, int line, const std::string& more = {}) {
  std::fprintf(stderr, "line %d does not hold: %s%s\n", line, what, more.c_str());
  std::abort();
}

inline void must_equal(std::string_view a, std::string_view b, const char* what, int line) {
  if (a != b) fail(what, line, "\n  one:   " + std::string(a) + "\n  other: " + std::string(b));
}

// Whether it is refused: by a Problem 4xx, whose answer is JSON whatever it quotes. Nothing else may be thrown.
template <class Act>
bool refused(Act act) {
  try {
    act();
    return false;
  } catch (const http::Problem& problem) {
    if (problem.status < 400 || problem.status > 499) fail("a Problem of the caller's", __LINE__, problem.detail);
    model::Fault fault;
    const auto answer = http::to_response(problem, "/", "");
    if (!model::parse(answer.body, fault)) fail("an answer in JSON", __LINE__, fault.detail + "\n" + answer.body);
    return true;
  }
}

}  // namespace parley::fuzz

#define FUZZ(name)                                                                         \
  static void fuzz_##name(parley::fuzz::Input input);                                      \
  [[maybe_unused]] static const bool known_##name = parley::fuzz::add(#name, fuzz_##name); \
  static void fuzz_##name([[maybe_unused]] parley::fuzz::Input input)

using parley::fuzz::refused;

#define MUST(...) ((__VA_ARGS__) ? void() : parley::fuzz::fail(#__VA_ARGS__, __LINE__))
// Of texts, which are shown where they differ.
#define MUST_EQUAL(a, b) parley::fuzz::must_equal(a, b, #a " == " #b, __LINE__)
