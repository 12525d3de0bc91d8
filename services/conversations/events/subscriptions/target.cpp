#include "conversations/events/subscriptions/target.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "common/http/address.hpp"
#include "common/http/upstream.hpp"

namespace parley::conversations::subscriptions {

namespace urls = boost::urls;

std::optional<Target> split(std::string_view text) {
  const auto url = urls::parse_uri({text.data(), text.size()});
  if (!url.has_value() || text.find(',') < text.find('/', 8)) return std::nullopt;  // a list of hosts
  Target out{std::string(url->scheme()) + "://" + std::string(url->encoded_host_and_port()),
             std::string(url->encoded_path())};
  // Boost 1.81 parses an invalid rest of the host ("a:80:90", "[::1]$") as a path.
  if (!out.path.empty() && !out.path.starts_with('/')) return std::nullopt;
  if (!http::is_upstream_url(out.origin)) return std::nullopt;
  if (out.path.empty()) out.path = "/";
  if (url->has_query()) out.path.append("?").append(std::string(url->encoded_query()));
  return out;
}

void check_target(std::string_view pointer, const std::string& text, bool allow_private, http::Faults& faults) {
  faults.check_text(pointer, text, 1, 2048);
  const auto url = urls::parse_uri({text.data(), text.size()});
  const bool sound = url.has_value() && !url->has_userinfo() && !url->has_fragment() && split(text) &&
                     (url->scheme_id() == urls::scheme::https || allow_private);
  if (!sound) return faults.add(std::string(pointer), "must be an absolute https URL without a user and a fragment");
  boost::system::error_code not_numeric;
  const auto address = boost::asio::ip::make_address(std::string(url->host_address()), not_numeric);
  if (!not_numeric && !allow_private && !http::is_public(address))
    faults.add(std::string(pointer), "must not lead to an address that is not public");
}

}  // namespace parley::conversations::subscriptions
