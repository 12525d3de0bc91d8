#include "tests/simulator/faults.hpp"

namespace parley::simulator {

namespace {

std::string_view take_segment(std::string_view& path) {
  const auto slash = path.find('/', 1);
  const auto out = path.substr(0, slash);
  path = slash == path.npos ? std::string_view{} : path.substr(slash);
  return out;
}

bool matches(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    const auto wanted = take_segment(pattern), found = take_segment(path);
    if (wanted != "/*" && wanted != found) return false;
  }
  return pattern.empty() && path.empty();
}

}  // namespace

std::optional<Fault> Faults::take(std::string_view method, std::string_view path, std::string_view recipient) {
  for (auto at = faults_.begin(); at != faults_.end(); ++at) {
    if (!matches(at->path, path) || (!at->method.empty() && at->method != method)) continue;
    if (!at->recipient.empty() && at->recipient != recipient) continue;
    if (at->seen++ % at->one_in != 0) continue;
    const Fault fault = *at;
    if (--at->times <= 0) faults_.erase(at);
    return fault;
  }
  return std::nullopt;
}

}  // namespace parley::simulator
