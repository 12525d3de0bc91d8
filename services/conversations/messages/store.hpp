#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::messages {

using boost::asio::awaitable;

struct Page {
  std::vector<PageRow> messages;
  std::int64_t total = 0;            // of a conversation; unknown for a list
  bool cut = false;                  // truncated, since the page would be too long
  std::optional<After> walked_to{};  // set: there may be more matches behind it, however short the page is
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // Finds no message of a Deleted conversation, unless that is a tombstone.
  awaitable<std::optional<model::Message>> find(model::Uuid organization, model::Uuid id);
  // Looks at 20,000 messages behind the cut at most.
  awaitable<Page> list(model::Uuid organization, ListQuery query, Cut cut);
  // A page of one conversation with the total; nullopt if it is Deleted and no tombstone.
  awaitable<std::optional<Page>> of_conversation(model::Uuid organization, model::Uuid conversation, Cut cut);

  // The contact of a conversation to send in. Returns nullopt and throws Problems as send() does.
  awaitable<std::optional<model::Uuid>> contact_of(model::Uuid organization, model::Uuid conversation);
  // Queues a message and emits its event; locks the conversation. nullopt: no such conversation. Throws Problem 409 if
  // it is Closed, a tombstone or outside the service window; 400 if the message refers to one of another conversation.
  awaitable<std::optional<model::Message>> send(pg::Transaction& transaction, model::Uuid organization,
                                                model::Uuid conversation, NewMessage message, Address address,
                                                model::MessageSender sender);

 private:
  awaitable<void> add_long_data(model::Uuid organization, Page& page);
  pg::Pool& database_;
};

// Empties a message of a deleted contact, as the background removal does that may not have reached it yet.
void forget_words(model::Message& message);

}  // namespace parley::conversations::messages
