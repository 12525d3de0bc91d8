#include "contacts/contacts/api.hpp"

#include "common/chassis/audit.hpp"
#include "common/chassis/change.hpp"
#include "common/contracts/conversations.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/event.hpp"
#include "contacts/contacts/export.hpp"
#include "contacts/contacts/requests.hpp"
#include "contacts/contacts/rows.hpp"

namespace parley::contacts::contacts {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, chassis::ServiceClient& conversations, std::string country)
    : store_(store), conversations_(conversations), embedding_(process, conversations), country_(std::move(country)) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/contacts", Permission::get_contact, &Api::list);
  routes.post("/api/contacts", Permission::create_contact, &Api::create);
  routes.get("/api/contacts/export", Permission::export_contacts, &Api::export_all);
  routes.get("/api/contacts/{id}", Permission::get_contact, &Api::find);
  routes.post("/api/contacts/{id}", Permission::update_contact, &Api::update);
  routes.del("/api/contacts/{id}", Permission::delete_contact, &Api::remove);
  routes.serve(contracts::contacts::parts, &Api::parts);
}

namespace {

http::Problem no_contact() { return chassis::not_found("there is no contact with this id"); }

model::RawJson told_of_export(const chassis::Call& call) {
  auto entry = chassis::audit_entry(call, model::AuditAction::ContactsExported);
  entry.subject = call.request.query.empty() ? "all contacts" : "contacts";
  entry.details = chassis::query_of(call);
  events::Changes changes;
  changes.add(entry);
  return changes.json();
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = read_page_filter(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  call.request.expect_answer(page.octets);
  co_await embed_conversations(call, page.contacts);
  const auto sorted_by = [&](const PageContact& last) { return filter.sort_by == SortBy::name ? last.name : ""; };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.contacts), page.total, sorted_by,
                                              page.cut);
}

awaitable<void> Api::embed_conversations(chassis::Call& call, std::vector<PageContact>& contacts) {
  if (contacts.empty() || !call.may(Permission::get_conversation)) co_return;
  std::vector<model::Uuid> ids;
  for (const auto& contact : contacts) ids.push_back(contact.uniqueId);
  const std::int64_t messages = call.may(Permission::get_message) ? 1 : 0;
  const auto parts = co_await conversations_.parts(conversations_.start(
      contracts::conversations::of_contacts, {call.organization(), messages, std::move(ids)}, call.scope));
  if (!parts) call.degraded(conversations_.context());
  if (!parts) co_return;
  for (auto& contact : contacts)
    if (const auto part = parts->of(contact.uniqueId)) contact.conversations.text = *part;
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto body = co_await read_new_contacts(call, country_);
  auto contacts = co_await store_.create(change, call.organization(), std::move(body.contacts));
  http::Response response;
  if (body.are_several) {
    response = http::created(CreatedResponse{std::move(contacts)}, "/api/contacts");
  } else {
    const auto location = "/api/contacts/" + contacts.front().uniqueId.text();
    response = http::created(ContactResponse{std::move(contacts.front())}, location);
  }
  co_return response;
}

awaitable<http::Response> Api::export_all(chassis::Call& call) {
  const auto query = call.query<ExportQuery>();
  auto filter = read_export_filter(query);
  auto lines = std::make_shared<Export>(store_, call.organization(), std::move(filter), http::csv_cells(query.format),
                                        exports_.take(call.request, call.organization()));
  co_await lines->begin();
  if (call.request.method != http::Method::head) co_await store_.emit(told_of_export(call));  // HEAD returns no data
  http::Response response;
  response.content_type = "text/csv; charset=utf-8; header=present";
  const auto today = model::Timestamp::now().text().substr(0, 10);
  response.add("Content-Disposition", "attachment; filename=\"contacts-" + today + ".csv\"");
  response.stream = std::move(lines);
  co_return response;
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  const auto id = call.id();
  auto row = store_.start_find(call.organization(), id);
  std::optional<Embedding::Asked> asked;  // before the row is awaited, so that both run at once
  if (call.may(Permission::get_conversation)) asked = ask(call, id);
  auto contact = co_await store_.found(call.organization(), id, std::move(row));
  if (!contact) throw no_contact();
  call.show_version(std::move(contact->version));
  ContactResponse answer{std::move(*contact)};
  if (asked) {
    call.request.expect_answer(answer.contact.octets());
    answer.contact.conversations = co_await conversations_of(call, std::move(*asked));
  }
  co_return http::json_response(answer);
}

// With their newest messages if the caller may read messages.
Embedding::Asked Api::ask(const chassis::Call& call, const model::Uuid& id) {
  const auto messages = call.may(Permission::get_message) ? contracts::conversations::kMaxMessages : 0;
  return embedding_.ask(call.scope, call.organization(), messages, id);
}

awaitable<model::RawJson> Api::conversations_of(chassis::Call& call, Embedding::Asked asked) {
  auto conversations = co_await embedding_.answer(call.scope, std::move(asked));
  if (!conversations) call.degraded(conversations_.context());
  co_return conversations ? std::move(*conversations) : model::RawJson{"[]"};
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  auto changes = co_await read_changes(call, country_);
  // Sent before the transaction begins: no lock is held while waiting for another service.
  model::RawJson conversations{"[]"};
  if (call.may(Permission::get_conversation)) conversations = co_await conversations_of(call, ask(call, id));
  const auto version = co_await store_.lock(change, call.organization(), id);
  if (!version) throw no_contact();
  call.require_version(*version);
  ContactResponse answer{co_await store_.update(change, call.organization(), id, std::move(changes))};
  answer.contact.conversations = std::move(conversations);
  co_return http::json_response(answer);
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  const auto version = co_await store_.lock_to_delete(change, call.organization(), id);
  if (!version) throw no_contact();
  call.require_version(*version);
  co_await store_.remove(change, call.organization(), id);
  change.emit(events::ContactsDeleted{call.organization(), {id}});
  change.audit(model::AuditAction::ContactsDeleted, id, "1 contact");  // no name: it is to be forgotten
  co_return http::no_content();
}

awaitable<contracts::contacts::PartLines> Api::parts(chassis::Call&, contracts::contacts::PartsQuery query) {
  using Ids = std::vector<model::Uuid>;
  const auto parts =
      co_await store_.parts(query.organization_id.value_or(model::Uuid{}), std::move(query.contact_ids).value_or(Ids{}),
                            std::move(query.tag_ids).value_or(Ids{}));
  contracts::contacts::PartLines lines;
  for (const auto& contact : parts.contacts) lines.append(contact.uniqueId, contact);
  for (const auto& tag : parts.tags) lines.append(tag.uniqueId, tag);
  co_return lines;
}

}  // namespace parley::contacts::contacts
