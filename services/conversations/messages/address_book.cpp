#include "conversations/messages/address_book.hpp"

#include "common/contracts/contacts.hpp"

namespace parley::conversations::messages {

namespace {

http::Problem conflict(std::string detail) { return http::Problem({.status = 409, .detail = std::move(detail)}); }

http::Unreachable senseless(const chassis::ServiceClient& contacts) {
  return {http::Unreachable::Why::bad_answer, contacts.context() + " answered no addresses", false};
}

std::string recipient_of(const contracts::contacts::Address& address) {
  if (address.status == model::ContactStatus::Blocked)
    throw conflict("the contact is Blocked: nothing is sent to them");
  if (address.phone && !address.phone->empty()) return *address.phone;
  if (address.channelUserId && !address.channelUserId->empty()) return *address.channelUserId;
  throw conflict("the contact has no phone number: the channel does not reach them");
}

}  // namespace

awaitable<Address> AddressBook::find(chassis::Call& call, model::Uuid contact) {
  auto asked = contacts_.start(contracts::contacts::addresses, {call.organization(), std::vector<model::Uuid>{contact}},
                               call.scope);
  const auto account = co_await accounts_.of_organization(call.organization());
  const auto parts = co_await contacts_.parts(std::move(asked));
  if (!parts) throw senseless(contacts_);
  const auto part = parts->of(contact);
  if (!part) throw conflict("the contact was deleted");
  auto recipient = recipient_of(http::read_answer<contracts::contacts::Address>(*part, contacts_.context()));
  if (!account) throw conflict("nothing can be sent yet: connect a messaging business account first");
  co_return Address{account->phoneNumberId, std::move(recipient)};
}

}  // namespace parley::conversations::messages
