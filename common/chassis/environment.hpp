#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley::chassis {

// Reads the configuration from the environment and collects all faults, so that an operator sees every mistake at once.
// Each NAME may be given as NAME_FILE instead: the path of a file with the value.
class Environment {
 public:
  // The value, or `fallback`; a fault if neither exists. Never blank.
  std::string text(std::string_view name);
  std::string text(std::string_view name, std::string_view fallback);
  // Like text(). A placeholder such as "changeme" or a value shorter than `least` is a fault; the value is never
  // printed.
  std::string secret(std::string_view name, std::size_t least = 1);
  std::int64_t number(std::string_view name, std::int64_t fallback, std::int64_t least, std::int64_t most);
  std::chrono::milliseconds milliseconds(std::string_view name, std::chrono::milliseconds fallback);
  bool flag(std::string_view name, bool fallback);
  // The address to listen on: `host:port`, with a numeric host.
  boost::asio::ip::tcp::endpoint listen_address(std::string_view name, std::string_view fallback);
  // An http or https URL, or several separated by commas.
  std::string url(std::string_view name);

  void fault(std::string_view name, std::string_view what);
  const std::vector<std::string>& faults() const { return faults_; }
  // PARLEY_ variables that were set but never read, sorted: mistyped, or meant for another program.
  std::vector<std::string> unread() const;

 private:
  std::optional<std::string> find(std::string_view name);
  std::vector<std::string> faults_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace parley::chassis
