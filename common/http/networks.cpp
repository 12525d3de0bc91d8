#include "common/http/networks.hpp"

#include "common/http/address.hpp"

namespace parley::http {

namespace {

constexpr std::size_t kOfSite = 4;
// Base weight of a connection: about the memory of its coroutines and initial buffer.
constexpr std::uint64_t kConnection = 8 << 10;

}  // namespace

std::uint64_t Networks::weight_of(const Network& network) {
  return network.connections * kConnection + network.buffered;
}

template <class Change>
void Networks::change(Network& network, Change change) {
  by_weight_.erase({weight_of(network), &network});
  change(network);
  if (network.connections > 0) by_weight_.emplace(weight_of(network), &network);
}

Network* Networks::enter(std::string_view address) {
  auto& network = networks_[site_of(address)];
  auto& of_subscriber = network.by_subscriber[network_of(address)];
  // For an IPv4 address both counts are equal, and the first bound applies.
  if (of_subscriber >= most_ || network.connections >= most_ * kOfSite) {
    if (of_subscriber == 0) network.by_subscriber.erase(network_of(address));
    return nullptr;
  }
  ++of_subscriber;
  change(network, [](Network& one) { ++one.connections; });
  return &network;
}

void Networks::leave(Network& network, std::string_view address) {
  const auto subscriber = network.by_subscriber.find(network_of(address));
  if (--subscriber->second == 0) network.by_subscriber.erase(subscriber);
  change(network, [](Network& one) { --one.connections; });
  if (network.connections == 0) networks_.erase(site_of(address));
}

void Networks::hold(Network& network, std::uint64_t before, std::uint64_t after) {
  change(network, [&](Network& one) { one.buffered += after - before; });
}

Network* Networks::find(std::string_view address) const {
  const auto found = networks_.find(site_of(address));
  return found == networks_.end() ? nullptr : const_cast<Network*>(&found->second);
}

}  // namespace parley::http
