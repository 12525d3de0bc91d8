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
  std::map<model::Uuid, std::int64_t> positions;  // what each is sorted by, for a cursor
  bool cut = false;                               // fewer than there are, as the page would be too long
  std::size_t octets = 0;                         // of the messages
};

struct Started {
  model::Uuid id;
  bool is_new = false;
};

class Store {
 public:
  Store(pg::Pool& database, redis::CountCache& counts) : database_(database), counts_(counts) {}

  // A page, and how many there are in all: by this page's snapshot or later; of one behind a cursor, as it was told
  // last, an hour ago at most. `contacts`: only conversations with one of these.
  awaitable<Page> list(model::Uuid organization, Filter filter, std::optional<std::vector<model::Uuid>> contacts);

  // A conversation with its newest kMessages messages, the newest first, of one snapshot. Those that are Deleted are
  // not there, but for those that were with their contact: they are tombstones, whose messages have nothing in them.
  awaitable<std::optional<Found>> find(model::Uuid organization, model::Uuid id);
  // The same without its messages.
  awaitable<std::optional<Found>> find_alone(model::Uuid organization, model::Uuid id);
  // Whether reading it has something to tell the contact.
  awaitable<bool> wants_receipt(model::Uuid organization, model::Uuid id);
  // The Active one of a contact, without its messages.
  awaitable<std::optional<Found>> find_active(model::Uuid organization, model::Uuid contact);

  // The conversations of those contacts that have any, but not Deleted ones: a contact's newest 20, the newest first,
  // each with its newest `messages`, the newest first. Of long ones fewer: those that fit into 96 KiB of a contact's
  // messageData, or 1 MiB where one contact's kMessages are asked for.
  awaitable<std::vector<ContactConversations>> of_contacts(model::Uuid organization,
                                                           std::vector<model::Uuid> contact_ids, std::int64_t messages);

  // ---- in the caller's transaction ----

  // Keeps others from changing a conversation, or adding to it, until the transaction ends. A tombstone is a Problem
  // 409.
  awaitable<std::optional<Locked>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // Makes a contact's Active conversation, or takes the one that there is. It is locked either way.
  awaitable<Started> start(pg::Transaction& transaction, model::Uuid organization, model::Uuid contact);
  // As it is in this transaction, whatever its status.
  awaitable<Found> see(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // Changes one that is locked, and tells of what is other than it was; the conversation as it then is.
  //
  // A second Active one of a contact is a Problem 409. One that is Deleted now is told for the last time.
  awaitable<Found> set_status(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                              model::ConversationStatus status);
  // nullopt: nobody.
  awaitable<Found> assign(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                          std::optional<model::Uuid> member);
  awaitable<Found> set_tags(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                            std::vector<model::Uuid> tags);
  // All messages that came in are Read. The contact gets a receipt for the newest, from this number; "" for none.
  awaitable<Found> mark_read(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                             std::string phone_number_id);

  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old);

 private:
  awaitable<void> add_long_data(model::Uuid organization, Page& page);
  awaitable<redis::Counted> count(model::Uuid organization, const Filter& filter,
                                  const std::vector<model::ConversationStatus>& statuses,
                                  const std::optional<std::vector<model::Uuid>>& contacts);
  // Tells that it was changed, if it was, after what else is in the batch.
  awaitable<Found> told(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, model::Uuid contact,
                        bool is_changed, pg::Batch batch);

  pg::Pool& database_;
  redis::CountCache& counts_;
};

}  // namespace parley::conversations::conversations
