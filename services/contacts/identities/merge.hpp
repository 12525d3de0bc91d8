#pragma once
// Matches people of the channel to contacts, and merges contacts of one person.
#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/pg/pool.hpp"
#include "contacts/identities/known.hpp"

namespace parley::contacts::identities {

using boost::asio::awaitable;

// The target state of a person's contact.
struct Identity {
  model::Uuid contact;
  std::optional<std::string> phone, channel_user_id;
  std::vector<model::Uuid> gone;              // contacts to merge into it
  std::optional<model::Uuid> robbed;          // contact that loses the channel's id to this one
  std::optional<std::string> former_user_id;  // to remember
  bool is_new = false;                        // whether anything changes
};

// Of a present person: Known::present. nullopt: no known contact is the person's.
std::optional<Identity> find_identity(const Person& person, const Known& known);

// Applies the identity with events and tallies, as the last step of a transaction that has locked the rows.
awaitable<void> put_identity(pg::Transaction& transaction, model::Uuid organization, const Person& person,
                             const Identity& identity);

}  // namespace parley::contacts::identities
