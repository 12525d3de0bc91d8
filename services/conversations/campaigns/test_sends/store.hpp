#pragma once
#include <boost/asio/awaitable.hpp>
#include <map>

#include "conversations/campaigns/test_sends/shapes.hpp"
#include "conversations/inbox/conversations/store.hpp"

namespace parley::conversations::test_sends {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(conversations::Store& conversations) : conversations_(conversations) {}

  // Who of these is not written to, and why.
  awaitable<std::map<model::Uuid, Skipped>> suppressed(pg::Transaction& transaction, model::Uuid organization,
                                                       std::vector<model::Uuid> contacts);
  // Puts messages on their way, each in its contact's Active conversation, as members' single ones: they are none of
  // the campaign's. Whether the channel takes them outside the contacts' service windows is left to it, as with the
  // campaign itself.
  awaitable<void> send(pg::Transaction& transaction, model::Uuid organization, std::string phone_number_id,
                       std::vector<Sending> messages);

 private:
  conversations::Store& conversations_;
};

}  // namespace parley::conversations::test_sends
