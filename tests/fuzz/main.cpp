// Runs one target, PARLEY_FUZZ_TARGET: by libFuzzer in build/fuzz, elsewhere once for each file of the folders given.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "common/identity/keys.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

std::map<std::string, parley::fuzz::Target>& targets() {
  static std::map<std::string, parley::fuzz::Target> all;
  return all;
}

parley::fuzz::Target chosen() {
  parley::identity::start_cryptography();
  const char* const name = std::getenv("PARLEY_FUZZ_TARGET");
  const auto found = targets().find(name ? name : "");
  if (found != targets().end()) return found->second;
  std::fputs("PARLEY_FUZZ_TARGET must be one of:", stderr);
  for (const auto& [known, target] : targets()) std::fprintf(stderr, " %s", known.c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

}  // namespace

bool parley::fuzz::add(const char* name, Target target) { return targets().emplace(name, target).second; }

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* octets, std::size_t count) {
  static const auto target = chosen();
  target(parley::fuzz::Input({reinterpret_cast<const char*>(octets), count}));
  return 0;
}

#ifndef PARLEY_FUZZ
int main(int count, char** arguments) {
  int files = 0;
  for (int i = 1; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
      std::fprintf(stderr, "%s\n", entry.path().c_str());
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string octets{std::istreambuf_iterator<char>(file), {}};
      LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(octets.data()), octets.size());
      ++files;
    }
  return files > 0 ? 0 : 1;
}
#endif
