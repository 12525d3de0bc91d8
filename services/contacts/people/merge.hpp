#pragma once
// Whose number and channel id are whose, and how two contacts become one.
#include <boost/asio/awaitable.hpp>
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/pg/pool.hpp"
#include "contacts/people/shapes.hpp"

namespace parley::contacts::people {

using boost::asio::awaitable;

struct KnownRow {
  model::Uuid id;
  std::optional<std::string> phone, channel_user_id;
  model::ContactStatus status = model::ContactStatus::Active;
};
BOOST_DESCRIBE_STRUCT(KnownRow, (), (id, phone, channel_user_id, status))

// What a person's contact is to be.
struct Identity {
  model::Uuid contact;
  std::optional<std::string> phone, channel_user_id;
  std::vector<model::Uuid> gone;      // to be merged into it
  std::optional<model::Uuid> robbed;  // of the channel's id, which has turned out to be this person's
  bool is_new = false;                // whether there is anything to change
};

// `rows`: the contacts with the person's numbers or channel id. nullopt: none of them is the person's.
std::optional<Identity> find_identity(const Person& person, const std::vector<KnownRow>& rows);

// Makes it so, with its events and tallies, in a transaction that has locked the rows (and does nothing after it).
awaitable<void> put_identity(pg::Transaction& transaction, model::Uuid organization, const Person& person,
                             const Identity& identity);

}  // namespace parley::contacts::people
