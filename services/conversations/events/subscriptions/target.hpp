#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/http/problem.hpp"

namespace parley::conversations::subscriptions {

// A webhook's URL, split as it is called.
struct Target {
  std::string origin;  // https://host[:port]
  std::string path;    // with the query
};
std::optional<Target> split(std::string_view url);

// Adds a fault for what may not be called by its text: all but https, and addresses that are not public. What a name
// leads to is looked at whenever it is called. `allow_private` lets http and all addresses through.
void check_target(std::string_view pointer, const std::string& url, bool allow_private, http::Faults& faults);

}  // namespace parley::conversations::subscriptions
