#include "common/redis/url.hpp"

#include <boost/url/pct_string_view.hpp>
#include <charconv>
#include <stdexcept>

namespace parley::redis {
namespace {

[[noreturn]] void refuse(const char* why) {
  throw std::invalid_argument(
      std::string("Redis URL: ") + why +
      "; expected redis://[[user]:password@]host[:port][/database] or "
      "redis+sentinel://[[user]:password@]host[:port][,host...]/master[/database], or rediss for TLS");
}

int number(std::string_view text, int least, int most, const char* why) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    refuse(why);
  return value;
}

std::string percent_decoded(std::string_view text) {
  const auto coded = boost::urls::make_pct_string_view({text.data(), text.size()});
  if (!coded) refuse("a percent sign without two hexadecimal digits");
  return coded->decode();
}

void read_credentials(std::string_view text, Address& out) {
  auto colon = text.find(':');
  if (colon == text.npos) refuse("credentials without a colon");
  out.user = percent_decoded(text.substr(0, colon));
  out.password = percent_decoded(text.substr(colon + 1));
  if (out.password.empty()) refuse("an empty password");
}

void read_host(std::string_view text, Endpoint& out) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == text.npos) refuse("a bracket that is not closed");
    out.host = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (!text.empty() && text.front() != ':') refuse("something after the closing bracket");
  } else {
    out.host = text.substr(0, text.find(':'));
    text.remove_prefix(out.host.size());
  }
  if (out.host.empty()) refuse("no host");
  if (!text.empty()) out.port = static_cast<unsigned short>(number(text.substr(1), 1, 65535, "a bad port"));
}

int read_database(std::string_view text) {
  return text.empty() ? 0 : number(text, 0, 1'000'000, "a bad database number");
}

std::string_view take_path(std::string_view& url) {
  const auto slash = url.find('/');
  const auto path = slash == url.npos ? std::string_view{} : url.substr(slash + 1);
  url = url.substr(0, slash);
  return path;
}

// https://redis.io/docs/latest/develop/reference/sentinel-clients/
void read_sentinels(std::string_view hosts, std::string_view path, Address& out) {
  constexpr unsigned short port = 26379;
  const auto slash = path.find('/');
  out.master = percent_decoded(path.substr(0, slash));
  if (out.master.empty()) refuse("no name of a master");
  if (slash != path.npos) out.database = read_database(path.substr(slash + 1));
  for (;;) {
    const auto comma = hosts.find(',');
    read_host(hosts.substr(0, comma), out.sentinels.emplace_back(Endpoint{{}, port}));
    if (comma == hosts.npos) return;
    hosts.remove_prefix(comma + 1);
  }
}

}  // namespace

Address parse_url(std::string_view url) {
  const auto colon = url.find("://");
  const auto scheme = url.substr(0, colon);
  const bool by_sentinels = scheme.ends_with("+sentinel");
  Address out;
  out.tls = scheme.starts_with("rediss");
  if (colon == url.npos || scheme != (out.tls ? "rediss" : "redis") + std::string(by_sentinels ? "+sentinel" : ""))
    refuse("another scheme");
  url.remove_prefix(colon + 3);
  for (char c : url)
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f) refuse("a blank or a control character");
  if (url.find_first_of("?#") != url.npos) refuse("a query or a fragment");

  if (auto at = url.rfind('@'); at != url.npos) {
    read_credentials(url.substr(0, at), out);
    url.remove_prefix(at + 1);
  }
  const auto path = take_path(url);
  if (by_sentinels) {
    read_sentinels(url, path, out);
  } else {
    out.database = read_database(path);
    read_host(url, out);
  }
  return out;
}

}  // namespace parley::redis
