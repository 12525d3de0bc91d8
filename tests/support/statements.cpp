#include "tests/support/statements.hpp"

#include <algorithm>
#include <filesystem>

#include "tests/support/sql.hpp"

namespace parley::support {

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = PARLEY_SOURCE_DIR;

std::string expanded(std::string text, const fs::path& folder) {
  static const std::regex include("/\\*include ([a-z0-9_]+)\\*/");
  for (std::smatch found; std::regex_search(text, found, include);)
    text =
        found.prefix().str() + source_text((folder / (found[1].str() + ".fragment")).string()) + found.suffix().str();
  return text;
}

}  // namespace

std::vector<std::string> files_below(const std::string& folder, const std::regex& wanted) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const auto path = fs::relative(entry.path(), kRoot).string();
    if (entry.is_regular_file() && std::regex_search(path, wanted)) out.push_back(path);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::map<std::string, std::string> source_statements() {
  constexpr std::string_view mark = "\n-- name: ";
  std::map<std::string, std::string> out;
  for (const auto& top : {"services", "common"})
    for (const fs::path path : files_below(top, std::regex("/sql/[a-z0-9_]+\\.sql$"))) {
      const auto folder = path.parent_path();
      const auto text = '\n' + source_text(path.string());
      if (path.stem() != "queries") out[(folder / path.stem()).string()] = expanded(text, folder);
      for (auto at = text.find(mark), next = at; at != text.npos; at = next) {
        next = text.find(mark, at + 1);
        const auto section = text.substr(at + mark.size(), next - at - mark.size());
        out[(folder / section.substr(0, section.find(' '))).string()] =
            expanded(section.substr(section.find('\n')), folder);
      }
    }
  return out;
}

std::string statement_name(const std::string& path) {
  static const std::regex left_out("^(services|common)/|/sql(?=/)");
  static const std::regex wing("^services/conversations/.*/([a-z_]+/sql/)");
  auto out = std::regex_replace(std::regex_replace(path, wing, "services/conversations/$1"), left_out, "");
  std::ranges::replace(out, '/', '.');
  return out;
}

}  // namespace parley::support
