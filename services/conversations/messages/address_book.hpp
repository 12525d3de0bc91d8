#pragma once
#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/channel/account.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::messages {

using boost::asio::awaitable;

// Looks up the number an organization sends from (organizations) and the address of a contact (contacts).
class AddressBook {
 public:
  AddressBook(channel::Accounts& accounts, chassis::ServiceClient& contacts)
      : accounts_(accounts), contacts_(contacts) {}

  // Throws http::Unreachable, or Problem 409: the contact is gone, Blocked or has no address; no account is connected.
  awaitable<Address> find(chassis::Call& call, model::Uuid contact);

 private:
  channel::Accounts& accounts_;
  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::messages
