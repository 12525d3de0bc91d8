#include "tests/simulator/faults.hpp"

namespace parley::simulator {

std::optional<Fault> Faults::take(std::string_view method, std::string_view path) {
  for (auto at = faults_.begin(); at != faults_.end(); ++at) {
    if (at->path != path || (!at->method.empty() && at->method != method)) continue;
    const Fault fault = *at;
    if (--at->times <= 0) faults_.erase(at);
    return fault;
  }
  return std::nullopt;
}

}  // namespace parley::simulator
