#include "common/http/list.hpp"

namespace parley::http {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> members;
  for (;;) {
    const auto comma = list.find(',');
    members.push_back(trimmed(list.substr(0, comma)));
    if (comma == list.npos) return members;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace parley::http
