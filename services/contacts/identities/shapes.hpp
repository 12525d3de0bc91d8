#pragma once
#include "common/contracts/contacts.hpp"

namespace parley::contacts::identities {

using contracts::contacts::Address;
using contracts::contacts::Person;
using contracts::contacts::ResolvedContact;

struct AddressRow : Address {
  model::Uuid id;
};
BOOST_DESCRIBE_STRUCT(AddressRow, (Address), (id))

}  // namespace parley::contacts::identities
