#include "conversations/inbox/conversations/composer.hpp"

#include <algorithm>

#include "common/contracts/contacts.hpp"
#include "common/contracts/organizations.hpp"

namespace parley::conversations::conversations {

namespace {

using identity::Permission;

constexpr std::size_t kMaxIds = 200;

using Ids = std::vector<model::Uuid>;

Ids each_once(Ids ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

Ids take(std::span<const model::Uuid>& left, std::size_t most) {
  const auto taken = left.first(std::min(left.size(), most));
  left = left.subspan(taken.size());
  return {taken.begin(), taken.end()};
}

std::vector<http::PendingResponse> ask_organizations(chassis::ServiceClient& peer, const chassis::Call& call,
                                                     const Ids& members) {
  std::vector<http::PendingResponse> asked;
  for (std::span<const model::Uuid> left(members); !left.empty();)
    asked.push_back(
        peer.start(contracts::organizations::members, {call.organization(), take(left, kMaxIds)}, call.scope));
  return asked;
}

// A deleted contact is shown by its id and the creation time within the id.
model::ContactSummary deleted_contact(const model::Uuid& id) {
  return {id, "", "", {"{}"}, {id.milliseconds()}, model::ContactStatus::Inactive};
}

// Without get_organization_member, a member is shown without email and roles.
std::string named(std::string_view part) {
  auto member = model::from_json<contracts::organizations::Member>(part);
  if (!member) return "null";
  member->email.clear();
  member->roles.text = "[]";
  return model::to_json(*member);
}

}  // namespace

std::vector<http::PendingResponse> ask_contacts(chassis::ServiceClient& contacts, const chassis::Call& call,
                                                const Ids& contact_ids, const Ids& tag_ids) {
  std::vector<http::PendingResponse> asked;
  std::span<const model::Uuid> contacts_left(contact_ids), tags_left(tag_ids);
  do {
    auto some = take(contacts_left, kMaxIds);
    auto tags = take(tags_left, kMaxIds - some.size());
    asked.push_back(contacts.start(contracts::contacts::parts, {call.organization(), std::move(some), std::move(tags)},
                                   call.scope));
  } while (!contacts_left.empty() || !tags_left.empty());
  return asked;
}

awaitable<bool> gather(chassis::ServiceClient& peer, std::vector<http::PendingResponse> asked,
                       std::vector<chassis::Fragments>& out) {
  bool all = true;
  for (auto& pending : asked) {
    auto parts = co_await peer.parts(std::move(pending));
    if (parts)
      out.push_back(std::move(*parts));
    else
      all = false;
  }
  co_return all;
}

std::optional<std::string_view> part_of(const std::vector<chassis::Fragments>& parts, const model::Uuid& id) {
  for (const auto& each : parts)
    if (const auto part = each.of(id)) return part;
  return std::nullopt;
}

std::optional<std::string_view> Others::of_contact_or_tag(const model::Uuid& id) const { return part_of(contacts, id); }
std::optional<std::string_view> Others::of_member(const model::Uuid& id) const { return part_of(members, id); }

awaitable<Others> Composer::ask(chassis::Call& call, std::span<const Found> conversations) {
  if (conversations.empty()) co_return Others{};
  Ids contacts, tags, members;
  for (const auto& found : conversations) {
    contacts.push_back(found.conversation.contactId);
    tags.insert(tags.end(), found.tag_ids.begin(), found.tag_ids.end());
    if (found.assigned_member_id) members.push_back(*found.assigned_member_id);
  }
  auto asked_contacts = ask_contacts(contacts_, call, each_once(std::move(contacts)), each_once(std::move(tags)));
  auto asked_members = ask_organizations(organizations_, call, each_once(std::move(members)));
  Others others;
  others.has_contacts = co_await gather(contacts_, std::move(asked_contacts), others.contacts);
  if (!others.has_contacts) call.degraded(contacts_.context());
  others.has_members = co_await gather(organizations_, std::move(asked_members), others.members);
  if (!others.has_members) call.degraded(organizations_.context());
  co_return others;
}

model::Conversation Composer::compose(const chassis::Call& call, Found found, const Others& others) {
  auto conversation = std::move(found.conversation);
  if (!call.may(Permission::get_message)) conversation.messages.clear();
  if (!call.may(Permission::get_contact))
    conversation.contact.text = "null";
  else if (const auto part = others.of_contact_or_tag(conversation.contactId))
    conversation.contact.text = *part;
  else if (others.has_contacts || found.tombstone)
    conversation.contact.text = model::to_json(deleted_contact(conversation.contactId));
  for (const auto& id : found.tag_ids)
    if (const auto part = others.of_contact_or_tag(id)) conversation.tags.push_back({std::string(*part)});
  if (found.assigned_member_id)
    if (const auto part = others.of_member(*found.assigned_member_id))
      conversation.assignedTo.text = call.may(Permission::get_organization_member) ? std::string(*part) : named(*part);
  return conversation;
}

bool concerns_the_same(const Found& a, const Found& b) {
  return a.conversation.contactId == b.conversation.contactId && a.assigned_member_id == b.assigned_member_id &&
         a.tag_ids == b.tag_ids;
}

}  // namespace parley::conversations::conversations
