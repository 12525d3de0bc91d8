#include "common/http/router.hpp"

#include <algorithm>

namespace parley::http {

namespace {

std::string_view take_segment(std::string_view& path) {
  const auto slash = path.find('/');
  const auto segment = path.substr(0, slash);
  path = slash == path.npos ? std::string_view{} : path.substr(slash + 1);
  return segment;
}

bool matches(std::string_view pattern, std::string_view path, PathParameters& parameters) {
  if (std::count(pattern.begin(), pattern.end(), '/') != std::count(path.begin(), path.end(), '/')) return false;
  parameters.count = 0;
  while (!pattern.empty() || !path.empty()) {
    const auto expected = take_segment(pattern);
    const auto segment = take_segment(path);
    if (expected.starts_with('{')) {
      if (segment.empty()) return false;
      parameters.values[parameters.count++] = segment;
    } else if (expected != segment) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::size_t Router::add(Method method, std::string_view pattern) {
  Path* path = nullptr;
  if (pattern.find('{') == pattern.npos) {
    path = &literal_[pattern];
  } else {
    const auto known = std::find_if(with_parameters_.begin(), with_parameters_.end(),
                                    [&](const Path& other) { return other.pattern == pattern; });
    path = known == with_parameters_.end() ? &with_parameters_.emplace_back() : &*known;
  }
  path->pattern = pattern;
  path->methods.emplace_back(method, count_);
  return count_++;
}

const Router::Path* Router::find(std::string_view path, PathParameters& parameters) const {
  if (const auto literal = literal_.find(path); literal != literal_.end()) return &literal->second;
  for (const auto& candidate : with_parameters_)
    if (matches(candidate.pattern, path, parameters)) return &candidate;
  return nullptr;
}

Router::Match Router::match(Method method, std::string_view path) const {
  Match match;
  const Path* const at = find(path, match.parameters);
  if (!at) return match;
  match.pattern = at->pattern;
  const Method wanted = method == Method::head ? Method::get : method;
  for (const auto& [there, route] : at->methods)
    if (there == wanted) {
      match.found = true;
      match.route = route;
      return match;
    }
  for (const auto& [there, route] : at->methods) {
    match.allow.append(match.allow.empty() ? "" : ", ").append(name_of(there));
    if (there == Method::get) match.allow += ", HEAD";
  }
  return match;
}

}  // namespace parley::http
