#include "gateway/client_address.hpp"

#include <algorithm>
#include <ranges>

#include "common/http/list.hpp"
#include "common/model/text.hpp"

namespace parley::gateway {

namespace ip = boost::asio::ip;

namespace {

// Converts an IPv4-mapped address to IPv4.
ip::address normal(const ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

template <class Network, class Address>
bool is_in(const Network& network, const Address& address) {
  return Network(address, network.prefix_length()).canonical() == network;
}

}  // namespace

TrustedProxies TrustedProxies::read(chassis::Environment& environment) {
  TrustedProxies out;
  const auto text = environment.text("PARLEY_TRUSTED_PROXIES", "");
  if (text.empty()) return out;
  for (const auto each : http::split(text))
    if (!out.add(each))
      environment.fault("PARLEY_TRUSTED_PROXIES", "'" + std::string(each) + "' is no address and no network");
  return out;
}

bool TrustedProxies::add(std::string_view text) {
  boost::system::error_code error;
  const auto address = ip::make_address(text, error);
  if (!error) {
    const auto one = normal(address);
    if (one.is_v4())
      v4_.emplace_back(one.to_v4(), 32);
    else
      v6_.emplace_back(ip::address_v6(one.to_v6().to_bytes()), 128);
    return true;
  }
  const auto v4 = ip::make_network_v4(text, error);
  if (!error) {
    v4_.push_back(v4.canonical());
    return true;
  }
  const auto v6 = ip::make_network_v6(text, error);
  if (!error) v6_.push_back(v6.canonical());
  return !error;
}

bool TrustedProxies::contains(std::string_view text) const {
  boost::system::error_code error;
  const auto parsed = ip::make_address(text, error);
  if (error) return false;
  const auto address = normal(parsed);
  if (address.is_v4())
    return std::any_of(v4_.begin(), v4_.end(), [&](const auto& each) { return is_in(each, address.to_v4()); });
  const ip::address_v6 bare(address.to_v6().to_bytes());  // without a zone
  return std::any_of(v6_.begin(), v6_.end(), [&](const auto& each) { return is_in(each, bare); });
}

std::string TrustedProxies::client_of(const http::Request& request) const {
  std::string client(request.remote_address);
  if ((v4_.empty() && v6_.empty()) || !contains(client)) return client;
  std::vector<std::string_view> hops;
  for (const auto& [name, value] : request.fields)
    if (model::equals_ignoring_case(name, "X-Forwarded-For"))
      std::ranges::copy(http::split(value), std::back_inserter(hops));
  for (const auto hop : hops | std::views::reverse) {
    boost::system::error_code error;
    const auto address = ip::make_address(hop, error);
    if (error) break;  // not written by a trusted proxy, so earlier entries are not trusted either
    client = normal(address).to_string();
    if (!contains(client)) break;
  }
  return client;
}

}  // namespace parley::gateway
