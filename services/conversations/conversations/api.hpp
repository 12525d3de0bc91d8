#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "conversations/conversations/store.hpp"

namespace parley::conversations::conversations {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, chassis::EventFeed& feed, chassis::Peer& contacts,
      chassis::Peer& organizations);

 private:
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call);
  awaitable<http::Response> of_contacts(chassis::Call& call);

  // What contacts and organizations know of a conversation, each nothing when it is out of reach or was not asked.
  struct Others {
    std::optional<chassis::Parts> contacts, members;
  };
  awaitable<Others> ask_others(chassis::Call& call, const Found& found);
  static ConversationAnswer compose(Found found, const Others& others);

  pg::Pool& database_;
  Store& store_;
  chassis::EventFeed& feed_;
  chassis::Peer& contacts_;
  chassis::Peer& organizations_;
};

}  // namespace parley::conversations::conversations
