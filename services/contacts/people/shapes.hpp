#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/contact.hpp"

namespace parley::contacts::people {

// Somebody as the channel tells of them.
struct Person {
  std::optional<std::string> phone, channelUserId;  // one at least
  std::optional<std::string> name;                  // of their profile
  std::optional<std::string> formerPhone;           // which they have given up
};
BOOST_DESCRIBE_STRUCT(Person, (), (phone, channelUserId, name, formerPhone))

// The body of POST /internal/contacts/resolve.
struct ResolveBody {
  model::Uuid organizationId;
  std::vector<Person> people;
};
BOOST_DESCRIBE_STRUCT(ResolveBody, (), (organizationId, people))

struct ResolvedContact {
  model::Uuid contactId;
  model::ContactStatus status = model::ContactStatus::Active;
  bool created = false;  // by this request
};
BOOST_DESCRIBE_STRUCT(ResolvedContact, (), (contactId, status, created))

struct ResolveResponse {
  std::vector<ResolvedContact> contacts;  // as the people were given
};
BOOST_DESCRIBE_STRUCT(ResolveResponse, (), (contacts))

struct AddressesQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::string> contact_ids;  // with commas between them
};
BOOST_DESCRIBE_STRUCT(AddressesQuery, (), (organization_id, contact_ids))

// Where a contact is reached, and whether it may be.
struct Address {
  std::optional<std::string> phone, channelUserId;
  model::ContactStatus status = model::ContactStatus::Active;
  std::string name;
  std::optional<model::Timestamp> statusAt;  // null: nobody has said anything of it
};
BOOST_DESCRIBE_STRUCT(Address, (), (phone, channelUserId, status, name, statusAt))

struct AddressRow : Address {
  model::Uuid id;
};
BOOST_DESCRIBE_STRUCT(AddressRow, (Address), (id))

struct IdsQuery {
  std::optional<model::Uuid> organization_id, list_id, after;
  std::optional<std::string> search;
  std::optional<std::int64_t> limit;
};
BOOST_DESCRIBE_STRUCT(IdsQuery, (), (organization_id, list_id, after, search, limit))

struct IdsResponse {
  std::vector<model::Uuid> contactIds;
  bool more = false;
};
BOOST_DESCRIBE_STRUCT(IdsResponse, (), (contactIds, more))

}  // namespace parley::contacts::people
