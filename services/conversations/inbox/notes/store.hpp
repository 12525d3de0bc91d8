#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "conversations/inbox/notes/shapes.hpp"

namespace parley::conversations::notes {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // nullopt: the conversation is Deleted. A tombstone has no notes.
  awaitable<std::optional<std::vector<Note>>> of_conversation(model::Uuid organization, model::Uuid conversation,
                                                              Cut cut);
  // Finds no note of a Deleted conversation, tombstones included.
  awaitable<std::optional<FoundRow>> find(model::Uuid organization, model::Uuid id);
  // Whether there is this conversation to write in; throws as create() does.
  awaitable<bool> may_write_in(model::Uuid organization, model::Uuid conversation);

  // ---- in the caller's transaction ----

  // Locks the conversation; emits an event. nullopt: no such conversation. Throws Problem 409 if it is a tombstone.
  awaitable<std::optional<Note>> create(pg::Transaction& transaction, model::Uuid organization,
                                        model::Uuid conversation, CreateNote made, model::MessageSender author);
  // Locks it until the transaction ends.
  awaitable<std::optional<FoundRow>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  // The following need the lock, and emit an event if they change something.
  awaitable<Note> update(pg::Transaction& transaction, model::Uuid organization, FoundRow old, UpdateNote update);
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, FoundRow old);

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::notes
