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

// Reads the configuration out of the environment, and gathers what is wrong with it, so that an operator sees all
// mistakes at once. Every NAME may be given as NAME_FILE instead: the path of a file that holds the value.
class Environment {
 public:
  // The value, or `fallback`, or a fault when there is neither. Never blank.
  std::string text(std::string_view name);
  std::string text(std::string_view name, std::string_view fallback);
  // Like text(); placeholders such as "changeme" and what is shorter than `least` are faults, and never shown.
  std::string secret(std::string_view name, std::size_t least = 1);
  std::int64_t number(std::string_view name, std::int64_t fallback, std::int64_t least, std::int64_t most);
  std::chrono::milliseconds milliseconds(std::string_view name, std::chrono::milliseconds fallback);
  bool flag(std::string_view name, bool fallback);
  // `host:port`, the host a numeric address: where to listen.
  boost::asio::ip::tcp::endpoint listen_address(std::string_view name, std::string_view fallback);
  // An http or https URL, or several with commas between them.
  std::string url(std::string_view name);

  void fault(std::string_view name, std::string_view what);
  const std::vector<std::string>& faults() const { return faults_; }
  // Variables that begin with PARLEY_ and that nobody asked for, sorted: another program's, or mistyped.
  std::vector<std::string> unread() const;

 private:
  std::optional<std::string> find(std::string_view name);
  std::vector<std::string> faults_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace parley::chassis
