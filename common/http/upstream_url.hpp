#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parley::http {

struct Base {
  bool tls = false;
  std::string host, port;
  std::string authority;  // as in a Host field
  std::string path;       // without a final slash
};

bool is_upstream_url(std::string_view list);

// Parses the list; empty for "". Throws std::invalid_argument for an invalid one.
std::vector<Base> bases_in(std::string_view list);

}  // namespace parley::http
