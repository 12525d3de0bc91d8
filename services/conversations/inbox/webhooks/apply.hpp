#pragma once
#include <chrono>
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"
#include "conversations/inbox/webhooks/payload.hpp"
#include "conversations/inbox/webhooks/people.hpp"

namespace parley::conversations::webhooks {

enum class Verdict {
  applied,
  repeated,  // it had been applied before
  waits      // for what it is about, which is not known yet; it is to be applied again later
};
BOOST_DESCRIBE_ENUM(Verdict, applied, repeated, waits)

// What an element that waits is waiting for.
enum class Awaited {
  message,       // that it is about
  answer,        // of another service, about its sender or its account, which it did not give
  contacts,      // which answers nobody
  organizations  // likewise
};
BOOST_DESCRIBE_ENUM(Awaited, message, answer, contacts, organizations)

// An element on its way into the tables.
struct Item {
  const Element* element = nullptr;
  std::size_t source = 0;          // of the rows that were taken: which it came in
  model::Uuid organization{};      // whose it is; nil where that is not known
  std::optional<Contact> contact;  // its sender, where it needs one
  Verdict verdict = Verdict::applied;
  Awaited awaited = Awaited::message;
  std::optional<std::chrono::seconds> pause;  // after which it is tried again, of one that was not tried
  std::string error;                          // why it waits, or, of one that will not be applied, why not
};

inline void let_wait(Item& item, Awaited awaited, std::string why, std::optional<std::chrono::seconds> pause = {}) {
  item.verdict = Verdict::waits;
  item.awaited = awaited;
  item.pause = pause;
  item.error = std::move(why);
}

// Applies elements of one organization in the transaction, which the caller commits. Each may come again, in any order
// and beside others who apply at the same time: the tables become the same. Sets the items' verdicts and tells of the
// changes. All who need one have their contact.
awaitable<void> apply(pg::Transaction& transaction, model::Uuid organization, std::span<Item* const> items,
                      events::Changes& changes);

}  // namespace parley::conversations::webhooks
