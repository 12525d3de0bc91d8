#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parley::http {

// One of the places that UpstreamSettings::url names.
struct Base {
  bool tls = false;
  std::string host, port;
  std::string authority;  // as a Host field has it
  std::string path;       // without a slash at its end
};

// Whether a text is what UpstreamSettings::url must be.
bool is_upstream_url(std::string_view list);

// None for "". Throws std::invalid_argument for what is no such text.
std::vector<Base> bases_in(std::string_view list);

}  // namespace parley::http
