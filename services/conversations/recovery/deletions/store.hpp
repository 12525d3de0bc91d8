#pragma once
#include "common/events/event.hpp"
#include "common/removals/worker.hpp"

namespace parley::conversations::deletions {

using boost::asio::awaitable;

// What is removed in the background, by kind. Also what is written for a contact within two minutes of its end: whoever
// writes may have asked contacts just before.
inline constexpr auto kContact = "contact";
inline constexpr auto kMergedContact = "merged contact";  // what it leaves goes over to the other one
inline constexpr auto kLostContact = "lost contact";      // as a deleted one, but a week later
inline constexpr auto kTag = "tag";
std::vector<removals::Kind> kinds();

// The conversations of these contacts are tombstones from now on. Others learn that they are Deleted as they would had
// a member done it: `told` gets what is to be told.
awaitable<void> tombstone(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                          events::Changes& changes);

// Contacts that are gone without a word: buried, but what they said is kept for a week.
awaitable<void> mark_missing(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                             events::Changes& changes);
// Those of these contacts that were lost are back: their conversations are Closed ones.
awaitable<void> restore(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                        events::Changes& changes);

}  // namespace parley::conversations::deletions
