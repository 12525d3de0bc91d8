// URLs of webhooks, links and servers: what may be called leads where its text says, and to no private place.
#include <boost/asio/ip/address.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "common/http/address.hpp"
#include "common/http/upstream_url.hpp"
#include "common/redis/url.hpp"
#include "conversations/events/subscriptions/target.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::conversations;

namespace {

void check_webhook(const std::string& text) {
  http::Faults faults;
  subscriptions::check_target("/url", text, false, faults);
  if (!faults.empty()) return;
  const auto target = subscriptions::split(text);
  MUST(target && target->origin.size() > 8 && target->path.starts_with('/'));
  MUST(target->path.find_first_of(" \r\n#") == std::string::npos);
  const auto bases = http::bases_in(target->origin);
  MUST(bases.size() == 1 && bases.front().tls && bases.front().path.empty());
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(bases.front().host, error);
  MUST(error || http::is_public(address));
  const auto whole = target->origin + target->path;
  const auto again = boost::urls::parse_uri(whole);
  MUST(again.has_value() && again->host_address() == bases.front().host);
}

void check_redis(const std::string& text) {
  try {
    const auto address = redis::parse_url(text);
    MUST(address.host.empty() != address.sentinels.empty());
    MUST(address.sentinels.empty() == address.master.empty());
  } catch (const std::invalid_argument& error) {
    const auto at = text.find(":secret@");
    MUST(at == text.npos || std::string_view(error.what()).find("secret") == std::string_view::npos);
  }
}

}  // namespace

FUZZ(urls) {
  const auto which = input.choice(3);
  const std::string text(input.rest());
  if (which == 0) check_webhook(text);
  if (which == 1) check_redis(text);
  if (which != 2) return;
  http::Faults faults;
  faults.check_url("/link", text);
  if (faults.empty() && !text.empty()) MUST(text.find_first_of(" \r\n\"<>") == text.npos);
  if (!http::is_upstream_url(text)) return;
  for (const auto& base : http::bases_in(text)) {
    MUST(!base.host.empty() && !base.port.empty() && !base.path.ends_with('/'));
    MUST(base.authority.find_first_of(" \r\n/@") == base.authority.npos);
  }
}
