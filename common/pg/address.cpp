#include "common/pg/address.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <stdexcept>

namespace parley::pg {
namespace {

namespace asio = boost::asio;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  std::size_t at = 0;
  for (auto comma = text.find(','); comma != text.npos; comma = text.find(',', at)) {
    out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  out.push_back(text.substr(at));
  return out;
}

bool is_socket_path(const std::string& host) { return host.empty() || host[0] == '/' || host[0] == '@'; }

bool is_literal(const std::string& host) {
  boost::system::error_code fault;
  asio::ip::make_address(host, fault);
  return !fault;
}

struct Lookup {
  explicit Lookup(asio::io_context& context) : resolver(context), timer(context) {}
  asio::ip::tcp::resolver resolver;
  asio::steady_timer timer;
  std::vector<std::string> found;
};

}  // namespace

Address::Address(const std::string& url, bool of_replicas) {
  char* message = nullptr;
  std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(::PQconninfoParse(url.c_str(), &message),
                                                                         ::PQconninfoFree);
  if (!options) {
    std::string why = message ? message : "no memory";
    ::PQfreemem(message);
    throw std::invalid_argument("database address: " + why);
  }
  std::string hosts, ports;
  bool has_addresses = false, several = false;
  for (const auto* option = options.get(); option->keyword; ++option) {
    if (!option->val) continue;
    const std::string keyword = option->keyword;
    if (keyword == "host") hosts = option->val;
    if (keyword == "port") ports = option->val;
    if (keyword == "hostaddr") has_addresses = true;
    if (keyword == "host" || keyword == "hostaddr") several |= split(option->val).size() > 1;
    items_.emplace_back(keyword, option->val);
  }
  const std::pair<std::string, std::string> defaults[] = {{"application_name", "parley"}, {"client_encoding", "UTF8"},
                                                          {"gssencmode", "disable"},      {"keepalives_idle", "10"},
                                                          {"keepalives_interval", "5"},   {"keepalives_count", "3"},
                                                          {"tcp_user_timeout", "5000"}};
  const auto add_default = [this](const std::pair<std::string, std::string>& item) {
    if (std::ranges::find(items_, item.first, &std::pair<std::string, std::string>::first) == items_.end())
      items_.push_back(item);
  };
  for (const auto& item : defaults) add_default(item);
  if (of_replicas) std::erase_if(items_, [](const auto& item) { return item.first == "target_session_attrs"; });
  if (of_replicas) add_default({"target_session_attrs", "standby"});
  // Otherwise read connections might reach a standby and return stale rows.
  if (several) add_default({"target_session_attrs", "read-write"});
  if (hosts.empty() || has_addresses) return;
  const auto names = split(hosts);
  const auto numbers = split(ports);
  if (numbers.size() != 1 && numbers.size() != names.size())
    throw std::invalid_argument("database address: as many ports as hosts, or one");
  for (std::size_t i = 0; i < names.size(); ++i)
    hosts_.push_back({names[i], numbers.size() == 1 ? numbers[0] : numbers[i]});
  std::erase_if(items_, [](const auto& item) { return item.first == "host" || item.first == "port"; });
}

asio::awaitable<Address::Parameters> Address::resolve(asio::io_context& context, unsigned attempt,
                                                      std::chrono::milliseconds timeout) {
  Parameters out{items_};
  if (hosts_.empty()) co_return out;
  struct Entry {
    std::string host, address, port;
  };
  std::vector<Entry> entries;
  for (const auto& host : hosts_) {
    if (is_socket_path(host.name)) {
      entries.push_back({host.name, "", host.port});
    } else if (is_literal(host.name)) {
      entries.push_back({host.name, host.name, host.port});
    } else {
      co_await look_up(context, host.name, timeout);
      for (const auto& address : addresses_[host.name]) entries.push_back({host.name, address, host.port});
    }
  }
  if (entries.empty()) throw std::runtime_error("the database's name cannot be resolved: " + hosts_[0].name);
  std::ranges::rotate(entries, entries.begin() + static_cast<std::ptrdiff_t>(attempt % entries.size()));
  std::string names, addresses, ports;
  for (const auto& entry : entries) {
    const char* comma = &entry == entries.data() ? "" : ",";
    names += comma + entry.host;
    addresses += comma + entry.address;
    ports += comma + entry.port;
  }
  out.items.emplace_back("host", names);
  if (addresses.find_first_not_of(',') != addresses.npos) out.items.emplace_back("hostaddr", addresses);
  if (ports.find_first_not_of(',') != ports.npos) out.items.emplace_back("port", ports);
  co_return out;
}

asio::awaitable<void> Address::look_up(asio::io_context& context, const std::string& name,
                                       std::chrono::milliseconds timeout) {
  // Shared, because the resolver may outlive this function when a name server hangs.
  auto lookup = std::make_shared<Lookup>(context);
  lookup->timer.expires_after(timeout);
  lookup->resolver.async_resolve(
      name, "", [lookup](boost::system::error_code, const asio::ip::tcp::resolver::results_type& results) {
        for (const auto& result : results) lookup->found.push_back(result.endpoint().address().to_string());
        lookup->timer.cancel();
      });
  co_await lookup->timer.async_wait(asio::as_tuple(asio::deferred));
  if (!lookup->found.empty()) addresses_[name] = lookup->found;
}

}  // namespace parley::pg
