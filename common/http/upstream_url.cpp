#include "common/http/upstream_url.hpp"

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <optional>
#include <stdexcept>

namespace parley::http {

namespace {

std::optional<Base> parse_base(std::string_view text) {
  using boost::urls::scheme;
  const auto url = boost::urls::parse_uri({text.data(), text.size()});
  if (!url.has_value() || url->host().empty() || url->has_userinfo() || url->has_query() || url->has_fragment())
    return {};
  if (url->scheme_id() != scheme::http && url->scheme_id() != scheme::https) return {};
  Base out{url->scheme_id() == scheme::https, url->host_address(), std::string(url->port()),
           std::string(url->encoded_host_and_port()), std::string(url->encoded_path())};
  if (out.port.empty()) out.port = out.tls ? "443" : "80";
  if (out.port.size() > 5 || std::stoi(out.port) < 1 || std::stoi(out.port) > 65535) return {};
  if (!out.path.empty() && !out.path.starts_with('/')) return {};  // Boost 1.81 takes ":90" of "a:80:90" for a path
  while (out.path.ends_with('/')) out.path.pop_back();
  return out;
}

// Returns an empty list if one URL is invalid, or if http and https are mixed.
std::vector<Base> parse(std::string_view list) {
  std::vector<Base> out;
  for (;;) {
    const auto comma = list.find(',');
    auto base = parse_base(list.substr(0, comma));
    if (!base || (!out.empty() && base->tls != out.front().tls)) return {};
    out.push_back(std::move(*base));
    if (comma == list.npos) return out;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

bool is_upstream_url(std::string_view list) { return !parse(list).empty(); }

std::vector<Base> bases_in(std::string_view list) {
  if (list.empty()) return {};
  auto out = parse(list);
  if (out.empty()) throw std::invalid_argument("not an http or https URL: " + std::string(list));
  return out;
}

}  // namespace parley::http
