#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::messages {

using boost::asio::awaitable;

struct Page {
  std::vector<PageRow> messages;
  std::int64_t total = 0;  // of the conversation; of a list it is not known
  bool cut = false;        // fewer than there are, as the page would be too long
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // A message of a conversation that is not Deleted, or is a tombstone.
  awaitable<std::optional<model::Message>> find(model::Uuid organization, model::Uuid id);
  // Messages of conversations that are not Deleted.
  awaitable<Page> list(model::Uuid organization, ListQuery query, Cut cut);
  // A page of one conversation, and how many messages it has; nullopt if it is Deleted, but for a tombstone.
  awaitable<std::optional<Page>> of_conversation(model::Uuid organization, model::Uuid conversation, Cut cut);

  // The contact of a conversation that something may be sent in, as send() will find it; nullopt and Problems as there.
  awaitable<std::optional<model::Uuid>> contact_of(model::Uuid organization, model::Uuid conversation);
  // Puts a message on its way, in the caller's transaction, which then has the conversation locked, and tells of it.
  // nullopt: there is no such conversation. Problems 409: it is Closed or a tombstone, or the contact's service window
  // does not take such a message now; 400: what it refers to is not in the conversation.
  awaitable<std::optional<model::Message>> send(pg::Transaction& transaction, model::Uuid organization,
                                                model::Uuid conversation, NewMessage message, Address address);

 private:
  awaitable<void> add_long_data(model::Uuid organization, Page& page);
  pg::Pool& database_;
};

// What is left of a message whose contact was deleted. The removal in the background leaves it so, but may not have
// come to it yet.
void forget_words(model::Message& message);

}  // namespace parley::conversations::messages
