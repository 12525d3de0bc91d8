#include "common/chassis/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "common/http/upstream.hpp"
#include "common/model/text.hpp"

namespace parley::chassis {

std::optional<std::string> Environment::find(std::string_view name) {
  asked_.emplace(name);
  const char* const value = std::getenv(std::string(name).c_str());
  const char* const file = std::getenv((std::string(name) + "_FILE").c_str());
  if (value && file) fault(name, "is given twice: as itself and as _FILE");
  if (value) return model::is_blank(value) ? std::nullopt : std::optional<std::string>(value);
  if (!file) return std::nullopt;
  std::ifstream stream(file);
  if (!stream) {
    fault(name, std::string("cannot be read from ") + file);
    return std::nullopt;
  }
  std::string text;
  char octets[4096];
  while (stream.read(octets, sizeof octets), stream.gcount() > 0)
    text.append(octets, static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) fault(name, std::string("cannot be read from ") + file);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return model::is_blank(text) ? std::nullopt : std::optional<std::string>(std::move(text));
}

void Environment::fault(std::string_view name, std::string_view what) {
  faults_.push_back(std::string(name) + " " + std::string(what));
}

std::vector<std::string> Environment::unread() const {
  std::vector<std::string> out;
  for (char** each = ::environ; *each; ++each) {
    const std::string_view entry = *each;
    const auto name = entry.substr(0, entry.find('='));
    if (!name.starts_with("PARLEY_") || asked_.contains(name)) continue;
    if (name.ends_with("_FILE") && asked_.contains(name.substr(0, name.size() - 5))) continue;
    out.emplace_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string Environment::text(std::string_view name) {
  auto found = find(name);
  if (!found) fault(name, "is not set");
  return found.value_or("");
}

std::string Environment::text(std::string_view name, std::string_view fallback) {
  return find(name).value_or(std::string(fallback));
}

std::string Environment::secret(std::string_view name, std::size_t least) {
  auto value = text(name);
  if (value.empty()) return value;
  for (const std::string_view placeholder : {"changeme", "change-me", "secret", "password", "example", "placeholder"})
    if (model::equals_ignoring_case(value, placeholder)) fault(name, "is a placeholder");
  if (value.size() < least) fault(name, "is shorter than " + std::to_string(least) + " characters");
  return value;
}

std::int64_t Environment::number(std::string_view name, std::int64_t fallback, std::int64_t least, std::int64_t most) {
  const auto found = find(name);
  if (!found) return fallback;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(found->data(), found->data() + found->size(), value);
  if (error == std::errc{} && end == found->data() + found->size() && value >= least && value <= most) return value;
  fault(name, "must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
  return fallback;
}

std::chrono::milliseconds Environment::milliseconds(std::string_view name, std::chrono::milliseconds fallback) {
  return std::chrono::milliseconds(number(name, fallback.count(), 0, 24 * 3600 * 1000));
}

bool Environment::flag(std::string_view name, bool fallback) {
  const auto found = find(name);
  if (!found) return fallback;
  if (*found == "on" || *found == "true") return true;
  if (*found == "off" || *found == "false") return false;
  fault(name, "must be on or off");
  return fallback;
}

boost::asio::ip::tcp::endpoint Environment::listen_address(std::string_view name, std::string_view fallback) {
  const auto value = text(name, fallback);
  const auto colon = value.rfind(':');
  if (colon != value.npos) {
    auto host = value.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(host, error);
    unsigned port = 0;
    const auto [end, bad] = std::from_chars(value.data() + colon + 1, value.data() + value.size(), port);
    if (!error && bad == std::errc{} && end == value.data() + value.size() && port < 65536)
      return {address, static_cast<unsigned short>(port)};
  }
  fault(name, "must be ADDRESS:PORT, the address a numeric one, such as 0.0.0.0:8080");
  return {};
}

std::string Environment::url(std::string_view name) {
  auto value = text(name);
  if (!value.empty() && !http::is_upstream_url(value))
    fault(name, "must be an http or https URL, or several with commas between them");
  return value;
}

}  // namespace parley::chassis
