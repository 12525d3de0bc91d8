#include "conversations/inbox/conversations/api.hpp"

#include <algorithm>

#include "common/chassis/change.hpp"
#include "conversations/inbox/conversations/requests.hpp"
#include "conversations/messages/outgoing.hpp"
#include "conversations/messages/requests.hpp"

namespace parley::conversations::conversations {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, messages::Store& messages, messages::AddressBook& addresses,
         channel::Accounts& accounts, chassis::ServiceClient& contacts, chassis::ServiceClient& organizations)
    : store_(store),
      messages_(messages),
      addresses_(addresses),
      accounts_(accounts),
      composer_(contacts, organizations),
      directory_(contacts) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/conversations", Permission::get_conversation, &Api::list);
  routes.get("/api/conversations/counts", Permission::get_conversation, &Api::counts);
  routes.post("/api/conversation", Permission::create_conversation, &Api::start);
  routes.get("/api/conversation/{id}", Permission::get_conversation, &Api::find);
  routes.post("/api/conversation/{id}", Permission::update_conversation, &Api::update);
  routes.del("/api/conversation/{id}", Permission::delete_conversation, &Api::remove);
  routes.post("/api/conversation/{id}/assign", Permission::assign_conversation, &Api::assign);
  routes.post("/api/conversation/{id}/unassign", Permission::unassign_conversation, &Api::unassign);
  routes.post("/api/conversation/{id}/read", Permission::update_conversation, &Api::mark_read);
  routes.post("/api/conversation/{id}/tags", Permission::update_conversation, &Api::set_tags);
  routes.serve(contracts::conversations::of_contacts, &Api::of_contacts);
}

namespace {

constexpr std::size_t kMaxTags = 100;
constexpr std::size_t kShortAnswer = 1 << 20;  // octets about several contacts; those beyond are asked for alone

http::Problem no_conversation() { return chassis::not_found("there is no conversation with this id"); }

http::Unreachable out_of_reach(std::string_view context) {
  return {http::Unreachable::Why::bad_answer, std::string(context) + " could not be asked", false};
}

http::Problem unknown(std::string pointer, std::string_view what) {
  http::Problem problem({.status = 400, .detail = pointer + " names no " + std::string(what)});
  problem.errors.push_back({std::move(pointer), "there is no such " + std::string(what)});
  return problem;
}

std::size_t octets_of(const Found& found) {
  std::size_t octets = 0;
  for (const auto& message : found.conversation.messages) octets += message.messageData.text.size();
  return octets;
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = read_filter(call.query<ListQuery>());
  // A match reveals that a contact has this name or number.
  if (!filter.search.empty()) call.require(Permission::get_contact);
  auto contacts = co_await directory_.contacts_of(call, filter);
  auto page = co_await store_.list(call.organization(), filter, std::move(contacts));
  call.request.expect_answer(page.octets);
  const auto others = co_await composer_.ask(call, page.conversations);
  std::vector<model::Conversation> conversations;
  for (auto& found : page.conversations) conversations.push_back(Composer::compose(call, std::move(found), others));
  const auto sorted_by = [&](const model::Conversation& last) {
    return filter.sort_by == SortBy::lastMessageAt ? std::to_string(page.positions.at(last.uniqueId)) : "";
  };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(conversations), page.total, sorted_by,
                                              page.cut);
}

awaitable<http::Response> Api::counts(chassis::Call& call) {
  const auto query = call.query<CountsQuery>();
  co_return http::json_response(
      CountsResponse{co_await store_.counts(call.organization(), call.identity.member_id, query.has_inbound)});
}

awaitable<http::Response> Api::start(chassis::Call& call, chassis::Change& change) {
  auto body = co_await call.body<StartConversation>();
  std::optional<messages::NewMessage> message;
  http::Faults faults;
  if (body.message) message = messages::check(std::move(*body.message), "/message", faults);
  faults.throw_if_any();
  if (message) call.require(Permission::create_message);

  auto expected = co_await store_.find_active(call.organization(), body.contactId);
  if (!expected) expected.emplace().conversation.contactId = body.contactId;
  auto others = co_await ask(call, *expected);
  if (!others.has_contacts) throw out_of_reach("contacts");
  if (!others.of_contact_or_tag(body.contactId)) throw unknown("/contactId", "contact");
  messages::Address address;
  if (message) address = co_await addresses_.find(call, body.contactId);

  const auto started = co_await store_.start(change, call.organization(), body.contactId);
  if (message)
    co_await messages_.send(change, call.organization(), started.id, std::move(*message), std::move(address),
                            messages::sender_of(call.identity));
  auto found = co_await store_.see(change, call.organization(), started.id);
  if (!concerns_the_same(*expected, found)) others = co_await ask(call, found);
  const ConversationResponse answer{Composer::compose(call, std::move(found), others)};
  co_return started.is_new ? http::created(answer, "/api/conversation/" + started.id.text())
                           : http::json_response(answer);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_conversation();
  call.show_version(found->version);
  call.request.expect_answer(octets_of(*found));
  const auto others = co_await ask(call, *found);
  co_return http::json_response(ConversationResponse{Composer::compose(call, std::move(*found), others)});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  const auto body = co_await call.body<UpdateConversation>();
  auto expected = co_await known(call);
  auto others = co_await ask(call, expected);
  co_return co_await apply(call, change, std::move(expected), std::move(others),
                           [&](pg::Transaction& transaction, const Locked& old) {
                             return store_.set_status(transaction, call.organization(), call.id(), old, body.status);
                           });
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_conversation();
  call.require_version(old->version);
  co_await store_.remove(change, call.organization(), id, *old);
  co_return http::no_content();
}

awaitable<http::Response> Api::assign(chassis::Call& call, chassis::Change& change) {
  const auto body = co_await call.body<Assign>();
  auto expected = co_await known(call);
  expected.assigned_member_id = body.memberId;
  auto others = co_await ask(call, expected);
  if (!others.has_members) throw out_of_reach("organizations");
  if (!others.of_member(body.memberId)) throw unknown("/memberId", "member");
  co_return co_await apply(call, change, std::move(expected), std::move(others),
                           [&](pg::Transaction& transaction, const Locked& old) {
                             return store_.assign(transaction, call.organization(), call.id(), old, body.memberId);
                           });
}

awaitable<http::Response> Api::unassign(chassis::Call& call, chassis::Change& change) {
  auto expected = co_await known(call);
  expected.assigned_member_id.reset();
  auto others = co_await ask(call, expected);
  co_return co_await apply(call, change, std::move(expected), std::move(others),
                           [&](pg::Transaction& transaction, const Locked& old) {
                             return store_.assign(transaction, call.organization(), call.id(), old, std::nullopt);
                           });
}

awaitable<http::Response> Api::mark_read(chassis::Call& call, chassis::Change& change) {
  auto expected = co_await known(call);
  auto others = co_await ask(call, expected);
  std::string number;  // stays empty without an account: the messages become Read, but the contact gets no receipt
  if (co_await store_.wants_receipt(call.organization(), call.id()))
    if (const auto account = co_await accounts_.of_organization(call.organization())) number = account->phoneNumberId;
  co_return co_await apply(call, change, std::move(expected), std::move(others),
                           [&](pg::Transaction& transaction, const Locked& old) {
                             return store_.mark_read(transaction, call.organization(), call.id(), old, number);
                           });
}

awaitable<http::Response> Api::set_tags(chassis::Call& call, chassis::Change& change) {
  const auto body = co_await call.body<SetTags>();
  http::Faults faults;
  if (body.tags.size() > kMaxTags) faults.add("/tags", "must be at most " + std::to_string(kMaxTags));
  faults.throw_if_any();
  auto expected = co_await known(call);
  // tags_of() creates missing tags: check the version first.
  call.require_version(expected.version);
  expected.tag_ids = co_await directory_.tags_of(call, body.tags);
  const auto tags = expected.tag_ids;
  auto others = co_await ask(call, expected);
  co_return co_await apply(call, change, std::move(expected), std::move(others),
                           [&](pg::Transaction& transaction, const Locked& old) {
                             return store_.set_tags(transaction, call.organization(), call.id(), old, tags);
                           });
}

awaitable<http::Response> Api::apply(chassis::Call& call, chassis::Change& change, Found expected, Others others,
                                     Apply step) {
  const auto old = co_await store_.lock(change, call.organization(), call.id());
  if (!old) throw no_conversation();
  call.require_version(old->version);
  auto found = co_await step(change, *old);
  call.request.expect_answer(octets_of(found));
  if (!concerns_the_same(expected, found)) others = co_await ask(call, found);
  const ConversationResponse answer{Composer::compose(call, std::move(found), others)};
  co_return http::json_response(answer);
}

awaitable<Found> Api::known(chassis::Call& call) {
  auto found = co_await store_.find_alone(call.organization(), call.id());
  if (!found) throw no_conversation();
  co_return std::move(*found);
}

awaitable<Others> Api::ask(chassis::Call& call, const Found& found) {
  co_return co_await composer_.ask(call, {&found, 1});
}

awaitable<contracts::conversations::ConversationLines> Api::of_contacts(
    chassis::Call&, contracts::conversations::OfContactsQuery query) {
  http::Faults faults;
  auto ids = std::move(query.contact_ids).value_or(std::vector<model::Uuid>{});
  if (ids.size() > contracts::conversations::kMaxContacts) faults.add("?contact_ids", "must be at most 100");
  if (!query.organization_id) faults.add("?organization_id", "is required");
  faults.throw_if_any();
  const auto messages = std::clamp<std::int64_t>(query.messages.value_or(kMessages), 0, kMessages);
  const bool several = are_several(ids, messages);
  contracts::conversations::ConversationLines lines;
  for (const auto& contact : co_await store_.of_contacts(*query.organization_id, std::move(ids), messages)) {
    if (contact.is_long || (several && lines.text.size() > kShortAnswer))
      lines.append(contact.contact_id, model::RawJson{"null"});
    else
      lines.append(contact.contact_id, contact.conversations);
  }
  co_return lines;
}

}  // namespace parley::conversations::conversations
