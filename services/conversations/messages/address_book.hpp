#pragma once
#include "common/chassis/pipeline.hpp"
#include "common/chassis/service_client.hpp"
#include "conversations/channel/account.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::messages {

using boost::asio::awaitable;

// How contacts are reached: what contacts knows of them, and what organizations knows of the number they are written
// from.
class AddressBook {
 public:
  AddressBook(channel::Accounts& accounts, chassis::ServiceClient& contacts)
      : accounts_(accounts), contacts_(contacts) {}

  // Asks both at once. Who is no more, Blocked, or has nothing that the channel reaches them by, and an organization
  // without an account, are Problems 409. Throws http::Unreachable.
  awaitable<Address> find(chassis::Call& call, model::Uuid contact);

 private:
  channel::Accounts& accounts_;
  chassis::ServiceClient& contacts_;
};

}  // namespace parley::conversations::messages
