#pragma once
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/http/message.hpp"

namespace parley::http {

// The values of a pattern's `{name}`s, in order: slices of the request's path, undecoded.
struct PathParameters {
  std::array<std::string_view, 4> values;
  std::size_t count = 0;
};

// A pattern has literal segments and `{name}`s, each matching one non-empty segment. Paths are not decoded, merged or
// resolved: `/api//contacts`, `/api/./contacts` and `/api/%63ontacts` match nothing.
class Router {
 public:
  struct Match {
    bool found = false;
    std::size_t route = 0;     // as add() returned it
    std::string_view pattern;  // the path's pattern for any method; "" when no route has the path
    PathParameters parameters;
    std::string allow;  // the Allow field's value when only other methods have the path
  };

  // Returns the route's number, from 0. A GET route also serves HEAD. `pattern` must have static storage.
  std::size_t add(Method method, std::string_view pattern);
  Match match(Method method, std::string_view path) const;

 private:
  struct Path {
    std::string_view pattern;
    std::vector<std::pair<Method, std::size_t>> methods;
  };
  const Path* find(std::string_view path, PathParameters& parameters) const;

  std::size_t count_ = 0;
  std::unordered_map<std::string_view, Path> literal_;
  std::vector<Path> with_parameters_;
};

}  // namespace parley::http
