#include "conversations/conversations/api.hpp"

#include <algorithm>

#include "common/model/contact.hpp"

namespace parley::conversations::conversations {

using identity::Permission;

Api::Api(chassis::Process& process, pg::Pool& database, Store& store, chassis::EventFeed& feed, chassis::Peer& contacts,
         chassis::Peer& organizations)
    : database_(database), store_(store), feed_(feed), contacts_(contacts), organizations_(organizations) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/conversation/{id}", Permission::get_conversation, &Api::find);
  routes.post("/api/conversation/{id}", Permission::update_conversation, &Api::update);
  routes.get("/internal/conversations/of-contacts", chassis::Services{{"contacts"}}, &Api::of_contacts);
}

namespace {

constexpr std::size_t kMostContacts = 100;  // a page

void append_list(std::string& target, std::string_view parameter, const std::vector<model::Uuid>& ids) {
  target += parameter;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > 0) target += ',';
    ids[i].append_to(target);
  }
}

// The conversation's contact and tags.
std::string contacts_target(const Found& found) {
  std::string target = "/internal/contacts/parts?organization_id=";
  found.conversation.organizationId.append_to(target);
  append_list(target, "&contact_ids=", {found.conversation.contactId});
  append_list(target, "&tag_ids=", found.tag_ids);
  return target;
}

// The member in charge, with their roles.
std::string members_target(const Found& found) {
  std::string target = "/internal/members/summaries?organization_id=";
  found.conversation.organizationId.append_to(target);
  append_list(target, "&member_ids=", {*found.assigned_member_id});
  return target;
}

http::Problem no_conversation() { return chassis::not_found("there is no conversation with this id"); }

// What is told of a contact that was deleted: that there was one, and when it was made, which its id says.
model::ContactSummary deleted_contact(const model::Uuid& id) {
  return {id, "", "", {"{}"}, {id.milliseconds()}, model::ContactStatus::Inactive};
}

// Whether what the others know of the one is what they know of the other.
bool concerns_the_same(const Found& a, const Found& b) {
  return a.conversation.contactId == b.conversation.contactId && a.assigned_member_id == b.assigned_member_id &&
         a.tag_ids == b.tag_ids;
}

std::vector<model::Uuid> read_ids(std::string_view text, http::Faults& faults) {
  std::vector<model::Uuid> ids;
  for (std::string_view rest = text; !rest.empty() && ids.size() <= kMostContacts;) {
    const auto comma = rest.find(',');
    const auto id = model::Uuid::parse(rest.substr(0, comma));
    if (!id) faults.add("?contact_ids", "must be ids with commas between them");
    if (!id) break;
    ids.push_back(*id);
    rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 1);
  }
  if (ids.size() > kMostContacts) faults.add("?contact_ids", "must be at most " + std::to_string(kMostContacts));
  return ids;
}

}  // namespace

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_conversation();
  const auto others = co_await ask_others(call, *found);
  co_return http::json_response(compose(std::move(*found), others));
}

awaitable<http::Response> Api::update(chassis::Call& call) {
  const auto id = call.id();
  const auto body = co_await call.body<UpdateConversation>();
  // The others are asked before the transaction begins: none waits for them with a lock in its hand.
  const auto before = co_await store_.find(call.organization(), id);
  Others others;
  if (before) others = co_await ask_others(call, *before);

  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const auto old = co_await store_.lock(once.transaction(), call.organization(), id);
  if (!old) throw no_conversation();
  co_await call.require_match([&] { return find(call); });
  auto found = co_await store_.set_status(once.transaction(), call.organization(), id, *old, body.status);
  if (!before || !concerns_the_same(*before, found)) others = co_await ask_others(call, found);
  auto response = co_await once.commit(http::json_response(compose(std::move(found), others)));
  feed_.kick();
  co_return response;
}

// Asked of both at once.
awaitable<Api::Others> Api::ask_others(chassis::Call& call, const Found& found) {
  auto contact_and_tags = contacts_.start(contacts_target(found), call.scope);
  std::optional<http::PendingResponse> member;
  if (found.assigned_member_id) member = organizations_.start(members_target(found), call.scope);
  Others others;
  others.contacts = co_await contacts_.parts(std::move(contact_and_tags));
  if (!others.contacts) call.degraded(contacts_.context());
  if (!member) co_return others;
  others.members = co_await organizations_.parts(std::move(*member));
  if (!others.members) call.degraded(organizations_.context());
  co_return others;
}

ConversationAnswer Api::compose(Found found, const Others& others) {
  ConversationAnswer answer{std::move(found.conversation)};
  auto& conversation = answer.conversation;
  const auto& parts = others.contacts;
  if (const auto part = parts ? parts->of(conversation.contactId) : std::nullopt)
    conversation.contact.text = *part;
  else if (parts || found.tombstone)
    conversation.contact.text = model::to_json(deleted_contact(conversation.contactId));
  for (const auto& id : found.tag_ids)
    if (const auto part = parts ? parts->of(id) : std::nullopt) conversation.tags.push_back({std::string(*part)});
  if (others.members && found.assigned_member_id)
    if (const auto part = others.members->of(*found.assigned_member_id)) conversation.assignedTo.text = *part;
  return answer;
}

awaitable<http::Response> Api::of_contacts(chassis::Call& call) {
  const auto query = call.query<OfContactsQuery>();
  http::Faults faults;
  const auto ids = read_ids(query.contact_ids.value_or(""), faults);
  if (!query.organization_id) faults.add("?organization_id", "is required");
  faults.throw_if_any();
  const auto messages = std::clamp<std::int64_t>(query.messages.value_or(kMessages), 0, kMessages);
  const auto contacts = co_await store_.of_contacts(*query.organization_id, ids, messages);
  http::Response response{.content_type = "text/plain", .head{}, .body{}, .stream{}, .stream_length{}};
  for (const auto& contact : contacts) chassis::Parts::append(response.body, contact.contact_id, contact.conversations);
  co_return response;
}

}  // namespace parley::conversations::conversations
