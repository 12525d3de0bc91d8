#include "conversations/conversations/api.hpp"

#include <algorithm>

namespace parley::conversations::conversations {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, chassis::EventFeed& feed, chassis::Peer& contacts,
         chassis::Peer& organizations)
    : store_(store), feed_(feed), contacts_(contacts), organizations_(organizations) {
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
  co_return co_await compose(call, std::move(found));
}

awaitable<http::Response> Api::update(chassis::Call& call) {
  const auto id = call.id();
  const auto body = co_await call.body<UpdateConversation>();
  auto found = co_await store_.set_status(call.organization(), id, body.status);
  feed_.kick();
  co_return co_await compose(call, std::move(found));
}

// Adds what contacts and organizations know, asked of both at once.
awaitable<http::Response> Api::compose(chassis::Call& call, std::optional<Found> found) {
  if (!found) throw chassis::not_found("there is no conversation with this id");
  auto contact_and_tags = contacts_.start(contacts_target(*found), call.scope);
  std::optional<http::PendingResponse> member;
  if (found->assigned_member_id) member = organizations_.start(members_target(*found), call.scope);

  ConversationAnswer answer{std::move(found->conversation)};
  auto& conversation = answer.conversation;
  const auto parts = co_await contacts_.parts(std::move(contact_and_tags));
  if (!parts) call.degraded(contacts_.context());
  if (const auto part = parts ? parts->of(conversation.contactId) : std::nullopt) conversation.contact.text = *part;
  for (const auto& id : found->tag_ids)
    if (const auto part = parts ? parts->of(id) : std::nullopt) conversation.tags.push_back({std::string(*part)});

  if (member) {
    const auto members = co_await organizations_.parts(std::move(*member));
    if (!members) call.degraded(organizations_.context());
    const auto part = members ? members->of(*found->assigned_member_id) : std::nullopt;
    if (part) conversation.assignedTo.text = *part;
  }
  co_return http::json_response(answer);
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
