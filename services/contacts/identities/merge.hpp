#pragma once
// Matches people of the channel to contacts, and merges contacts of one person.
#include <boost/asio/awaitable.hpp>
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/pg/pool.hpp"
#include "contacts/identities/shapes.hpp"

namespace parley::contacts::identities {

using boost::asio::awaitable;

struct KnownRow {
  model::Uuid id;
  std::optional<std::string> phone, channel_user_id;
  model::ContactStatus status = model::ContactStatus::Active;
};
BOOST_DESCRIBE_STRUCT(KnownRow, (), (id, phone, channel_user_id, status))

// The target state of a person's contact.
struct Identity {
  model::Uuid contact;
  std::optional<std::string> phone, channel_user_id;
  std::vector<model::Uuid> gone;      // contacts to merge into it
  std::optional<model::Uuid> robbed;  // contact that loses the channel's id to this one
  bool is_new = false;                // whether anything changes
};

// `rows` are the contacts with the person's numbers or channel id. nullopt: none of them is the person's.
std::optional<Identity> find_identity(const Person& person, const std::vector<KnownRow>& rows);

// Applies the identity with events and tallies, as the last step of a transaction that has locked the rows.
awaitable<void> put_identity(pg::Transaction& transaction, model::Uuid organization, const Person& person,
                             const Identity& identity);

}  // namespace parley::contacts::identities
