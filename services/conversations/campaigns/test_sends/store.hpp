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

  // Returns the contacts that may not be written to, with the reason.
  awaitable<std::map<model::Uuid, Skipped>> suppressed(pg::Transaction& transaction, model::Uuid organization,
                                                       std::vector<model::Uuid> contacts);
  // Queues messages in each contact's Active conversation, as single messages that do not count for the campaign. Like
  // the campaign, lets the channel refuse messages outside service windows.
  awaitable<void> send(pg::Transaction& transaction, model::Uuid organization, std::string phone_number_id,
                       model::MessageSender sender, std::vector<Sending> messages);

 private:
  conversations::Store& conversations_;
};

}  // namespace parley::conversations::test_sends
