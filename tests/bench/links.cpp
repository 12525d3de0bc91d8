// Prints the paths of the links of a campaign's recipients 1 to COUNT, one a line: for benchmarks that follow them.
#include <cstdio>
#include <cstdlib>

#include "conversations/campaigns/links/code.hpp"

int main(int argc, char** argv) {
  using namespace parley::conversations;
  if (argc != 4) {
    std::fprintf(stderr, "usage: parley-bench-links URL_ID SECRET_OF_16_CHARACTERS COUNT\n");
    return 2;
  }
  for (int ordinal = 1; ordinal <= std::atoi(argv[3]); ++ordinal)
    std::printf("%s%s\n", links::kPath.data(), links::code_of(std::atoll(argv[1]), ordinal, argv[2]).c_str());
}
