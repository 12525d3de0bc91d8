#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "conversations/conversations/store.hpp"

namespace parley::conversations::conversations {

class Api {
 public:
  Api(chassis::Process& process, Store& store, chassis::EventFeed& feed, chassis::Peer& contacts,
      chassis::Peer& organizations);

 private:
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call);
  awaitable<http::Response> of_contacts(chassis::Call& call);

  awaitable<http::Response> compose(chassis::Call& call, std::optional<Found> found);

  Store& store_;
  chassis::EventFeed& feed_;
  chassis::Peer& contacts_;
  chassis::Peer& organizations_;
};

}  // namespace parley::conversations::conversations
