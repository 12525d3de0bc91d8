#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/http/problem.hpp"

namespace parley::conversations::subscriptions {

struct Target {
  std::string origin;  // https://host[:port]
  std::string path;    // with the query
};
std::optional<Target> split(std::string_view url);

// Requires https and a public address; names are checked at each call. `allow_private` permits http and any address.
void check_target(std::string_view pointer, const std::string& url, bool allow_private, http::Faults& faults);

}  // namespace parley::conversations::subscriptions
