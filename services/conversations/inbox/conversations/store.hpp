#pragma once
#include <boost/asio/awaitable.hpp>
#include <map>

#include "common/pg/pool.hpp"
#include "common/redis/count_cache.hpp"
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::conversations {

using boost::asio::awaitable;

struct Page {
  std::vector<Found> conversations;  // each with its newest message
  std::int64_t total = 0;
  std::map<model::Uuid, std::int64_t> positions;  // the sort key of each conversation, for a cursor
  bool cut = false;                               // truncated, since the page would be too long
  std::size_t octets = 0;                         // of the messages
};

struct Started {
  model::Uuid id;
  bool is_new = false;
};

// Whether contacts are requested at once that are each shown by itself.
bool are_several(const std::vector<model::Uuid>& contact_ids, std::int64_t messages);

class Store {
 public:
  Store(pg::Pool& database, redis::CountCache& counts) : database_(database), counts_(counts) {}

  // The total is as of this page or newer; behind a cursor up to an hour old. `contacts` restricts the list to theirs.
  awaitable<Page> list(model::Uuid organization, Filter filter, std::optional<std::vector<model::Uuid>> contacts);

  // From tallies, which each transaction keeps.
  awaitable<Counts> counts(model::Uuid organization, model::Uuid member, std::optional<bool> has_inbound);

  // With its newest kMessages messages, newest first, from one snapshot. Finds tombstones, but no other Deleted ones.
  awaitable<std::optional<Found>> find(model::Uuid organization, model::Uuid id);
  awaitable<std::optional<Found>> find_alone(model::Uuid organization, model::Uuid id);
  // Whether marking it as read sends a receipt.
  awaitable<bool> wants_receipt(model::Uuid organization, model::Uuid id);
  // The contact's Active conversation, without messages.
  awaitable<std::optional<Found>> find_active(model::Uuid organization, model::Uuid contact);

  // Each contact's newest 20 conversations that are not Deleted, with their newest `messages`, newest first. Leaves out
  // messages beyond 96 KiB of messageData per contact (1 MiB if kMessages of one contact are requested). If
  // are_several(), leaves out long messages.
  awaitable<std::vector<ContactConversations>> of_contacts(model::Uuid organization,
                                                           std::vector<model::Uuid> contact_ids, std::int64_t messages);

  // ---- in the caller's transaction ----

  // Locks a conversation against changes and new messages until the transaction ends. A tombstone is a Problem 409.
  awaitable<std::optional<Locked>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // Creates or finds the contact's Active conversation, and locks it.
  awaitable<Started> start(pg::Transaction& transaction, model::Uuid organization, model::Uuid contact);
  awaitable<Found> see(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // The following change a locked conversation, emit an event if it differs, and return it as changed.
  // Setting a second conversation of a contact to Active is a Problem 409.
  awaitable<Found> set_status(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                              model::ConversationStatus status);
  // nullopt: unassigns it.
  awaitable<Found> assign(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                          std::optional<model::Uuid> member);
  awaitable<Found> set_tags(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                            std::vector<model::Uuid> tags);
  // Marks all inbound messages as Read. Queues a receipt for the newest, sent from this number; "": no receipt.
  awaitable<Found> mark_read(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                             std::string phone_number_id);

  // Its notes are removed in the background.
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old);

 private:
  awaitable<void> add_long_data(model::Uuid organization, Page& page);
  awaitable<redis::Counted> count(model::Uuid organization, const Filter& filter,
                                  const std::vector<model::ConversationStatus>& statuses,
                                  const std::optional<std::vector<model::Uuid>>& contacts);
  awaitable<Found> told(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, model::Uuid contact,
                        bool is_changed, pg::Batch batch);

  pg::Pool& database_;
  redis::CountCache& counts_;
};

}  // namespace parley::conversations::conversations
