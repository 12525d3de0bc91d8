#include "contacts/identities/known.hpp"

namespace parley::contacts::identities {

Known::Known(const std::vector<KnownRow>& rows) {
  for (const auto& row : rows) {
    const auto* contact = &contacts_.try_emplace(row.id, row).first->second;
    if (row.phone) by_phone_.emplace(*row.phone, contact);
    if (row.channel_user_id) by_user_.emplace(*row.channel_user_id, contact);
    if (row.former_user_id) by_former_user_.emplace(*row.former_user_id, contact);
  }
}

Person Known::present(Person person) const {
  const auto* contact = that_had(person.channelUserId);
  const auto* changed = that_had(person.formerChannelUserId);
  const bool goes_back = contact && contact == with_user(person.formerChannelUserId);
  if (changed) person.formerChannelUserId = changed->channel_user_id;
  if (contact && !goes_back) {
    const bool is_apart = contact->phone && person.phone && contact->phone != person.phone;
    if (is_apart && (with_phone(person.phone) || with_phone(person.formerPhone))) {
      person.channelUserId.reset();
      person.formerChannelUserId.reset();
    } else {
      person.channelUserId = contact->channel_user_id;
      if (is_apart || !person.channelUserId) person.phone = contact->phone;
    }
  }
  if (person.formerChannelUserId == person.channelUserId) person.formerChannelUserId.reset();
  return person;
}

const KnownRow* Known::find(const Contacts& contacts, const std::optional<std::string>& key) {
  const auto found = key ? contacts.find(*key) : contacts.end();
  return found == contacts.end() ? nullptr : found->second;
}

// The contact that gave this id up; nullptr if somebody has it.
const KnownRow* Known::that_had(const std::optional<std::string>& user) const {
  return with_user(user) ? nullptr : find(by_former_user_, user);
}

}  // namespace parley::contacts::identities
