#pragma once
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/http/message.hpp"

namespace parley::http {

// What stood in the places of a pattern's `{name}`s, in order: slices of the request's path, undecoded.
struct PathParameters {
  std::array<std::string_view, 4> values;
  std::size_t count = 0;
};

// Finds the route of a method and path. Patterns are literal segments and `{name}`s, which take one non-empty segment.
// Paths match as they are, nothing is decoded, merged or resolved: `/api//contacts`, `/api/./contacts` and
// `/api/%63ontacts` are no route.
class Router {
 public:
  struct Match {
    bool found = false;
    std::size_t route = 0;     // as add() returned it
    std::string_view pattern;  // of the path, whatever the method; "" when no route has it
    PathParameters parameters;
    std::string allow;  // when only other methods are there: the value of an Allow field
  };

  // Returns the route's number: 0, 1, ... A HEAD request is served by the GET route. `pattern` has static storage.
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
