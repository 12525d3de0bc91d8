#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "conversations/conversations/shapes.hpp"

namespace parley::conversations::conversations {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // A conversation with its newest kMessages messages, the newest first, of one snapshot. Those that are Deleted are
  // not there, but for those that were with their contact: they are tombstones, whose messages have nothing in them.
  awaitable<std::optional<Found>> find(model::Uuid organization, model::Uuid id);

  // Keeps others from changing a conversation, or adding to it, until the transaction ends. A tombstone is a Problem
  // 409.
  awaitable<std::optional<Locked>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // Sets the status of one that is locked, and tells of it if it is another; the conversation as it then is, for the
  // last time if it is Deleted now. A second Active one of a contact is a Problem 409.
  awaitable<Found> set_status(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                              model::ConversationStatus status);

  // The conversations of those contacts that have any, but not Deleted ones: a contact's newest 20, the newest first,
  // each with its newest `messages`, the newest first.
  awaitable<std::vector<ContactConversations>> of_contacts(model::Uuid organization,
                                                           std::vector<model::Uuid> contact_ids, std::int64_t messages);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::conversations
