#pragma once
#include "common/events/event.hpp"
#include "common/removals/worker.hpp"

namespace parley::conversations::deletions {

using boost::asio::awaitable;

// Kinds of background removal. A removal includes rows written within two minutes of the contact's end, since their
// writer may have checked the contact just before.
inline constexpr auto kContact = "contact";
inline constexpr auto kMergedContact = "merged contact";  // its rows move to the surviving contact
inline constexpr auto kLostContact = "lost contact";      // as a deleted contact, but a week later
inline constexpr auto kTag = "tag";
std::vector<removals::Kind> kinds();

// Makes the contacts' conversations tombstones. Adds the same events to `changes` as when a member deletes them.
awaitable<void> tombstone(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                          events::Changes& changes);

// Contacts missing without an event: makes tombstones, but keeps the contents for a week.
awaitable<void> mark_missing(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                             events::Changes& changes);
// Reverts mark_missing() for contacts that exist again: their conversations become Closed.
awaitable<void> restore(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                        events::Changes& changes);

}  // namespace parley::conversations::deletions
