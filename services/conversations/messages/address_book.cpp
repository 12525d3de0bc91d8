#include "conversations/messages/address_book.hpp"

#include "common/http/answer.hpp"
#include "common/model/contact.hpp"

namespace parley::conversations::messages {

namespace {

// A line of contacts' GET /internal/contacts/addresses.
struct ContactAddress {
  std::optional<std::string> phone;          // with its plus
  std::optional<std::string> channelUserId;  // of a user whose number is not known
  model::ContactStatus status = model::ContactStatus::Active;
};
BOOST_DESCRIBE_STRUCT(ContactAddress, (), (phone, channelUserId, status))

http::Problem conflict(std::string detail) { return http::Problem({.status = 409, .detail = std::move(detail)}); }

http::Unreachable senseless(const chassis::ServiceClient& contacts) {
  return {http::Unreachable::Why::bad_answer, contacts.context() + " answered no addresses", false};
}

std::string recipient_of(const ContactAddress& address) {
  if (address.status == model::ContactStatus::Blocked)
    throw conflict("the contact is Blocked: nothing is sent to them");
  if (address.phone && !address.phone->empty()) return *address.phone;
  if (address.channelUserId && !address.channelUserId->empty()) return *address.channelUserId;
  throw conflict("the contact has no phone number: the channel does not reach them");
}

}  // namespace

awaitable<Address> AddressBook::find(chassis::Call& call, model::Uuid contact) {
  auto asked = contacts_.start(
      "/internal/contacts/addresses?organization_id=" + call.organization().text() + "&contact_ids=" + contact.text(),
      call.scope);
  const auto account = co_await accounts_.of_organization(call.organization());
  const auto parts = co_await contacts_.parts(std::move(asked));
  if (!parts) throw senseless(contacts_);
  const auto part = parts->of(contact);
  if (!part) throw conflict("the contact was deleted");
  auto recipient = recipient_of(http::read_answer<ContactAddress>(*part, contacts_.context()));
  if (!account) throw conflict("nothing can be sent yet: connect a messaging business account first");
  co_return Address{account->phoneNumberId, std::move(recipient)};
}

}  // namespace parley::conversations::messages
