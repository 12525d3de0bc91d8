// services/conversations: its wings' includes point one way.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

// Each may include those before it.
const std::vector<std::string> kWings = {"channel", "messages", "inbox", "campaigns", "dispatch", "events", "recovery"};

auto position_of(const std::string& wing) { return std::ranges::find(kWings, wing) - kWings.begin(); }

}  // namespace

TEST_CASE("conversations: a wing includes only those before it") {
  const auto root = fs::path(PARLEY_SOURCE_DIR) / "services" / "conversations";
  const std::regex include("#include \"conversations/([a-z_]+)/.*");
  int seen = 0;
  for (const auto& wing : kWings) {
    for (const auto& entry : fs::recursive_directory_iterator(root / wing)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp") continue;
      std::ifstream file(entry.path());
      std::smatch found;
      for (std::string line; std::getline(file, line);) {
        if (!std::regex_match(line, found, include)) continue;
        ++seen;
        INFO(entry.path().string(), ": ", line);
        CHECK(position_of(found[1]) <= position_of(wing));
      }
    }
  }
  CHECK(seen > 100);
  const std::set<fs::path> others{"migrations", "schema"};
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.is_directory() && !others.contains(entry.path().filename()))
      CHECK_MESSAGE(std::ranges::count(kWings, entry.path().filename().string()) == 1, entry.path().string());
}
