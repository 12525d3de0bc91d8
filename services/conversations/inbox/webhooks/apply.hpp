#pragma once
#include <chrono>
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"
#include "conversations/inbox/webhooks/contact_resolver.hpp"
#include "conversations/inbox/webhooks/payload.hpp"

namespace parley::conversations::webhooks {

enum class Verdict {
  applied,
  repeated,  // had been applied before
  waits,     // lacks something that is not known yet; retried later
  foreign    // is about a message of another program that uses the number, too
};
BOOST_DESCRIBE_ENUM(Verdict, applied, repeated, waits, foreign)

enum class Awaited {
  message,       // the message it refers to is unknown
  answer,        // contacts or organizations failed to answer for its sender or account
  contacts,      // contacts is away
  organizations  // organizations is away
};
BOOST_DESCRIBE_ENUM(Awaited, message, answer, contacts, organizations)

struct Item {
  const Element* element = nullptr;
  std::size_t source = 0;                    // index of its row in the batch
  model::Uuid organization{};                // its owner; nil if unknown
  std::vector<model::Uuid> organizations{};  // of an account's news: all that send through it
  std::optional<Contact> contact;            // its sender, if it needs one
  Verdict verdict = Verdict::applied;
  Awaited awaited = Awaited::message;
  std::optional<std::chrono::seconds> pause;  // if not tried: the time until the retry, which is no attempt
  std::string error;                          // why it waits, or why it cannot be applied
};

inline void let_wait(Item& item, Awaited awaited, std::string why, std::optional<std::chrono::seconds> pause = {}) {
  item.verdict = Verdict::waits;
  item.awaited = awaited;
  item.pause = pause;
  item.error = std::move(why);
}

// Applies elements of one organization in the caller's transaction: sets their verdicts and adds the events.
// Idempotent; order and concurrent calls do not matter. Items that need a sender must have `contact` set.
awaitable<void> apply(pg::Transaction& transaction, model::Uuid organization, std::span<Item* const> items,
                      events::Changes& changes);

}  // namespace parley::conversations::webhooks
