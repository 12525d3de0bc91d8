#include "contacts/bulk/api.hpp"

#include "common/chassis/change.hpp"

namespace parley::contacts::bulk {

using identity::Permission;

// Whoever starts a change learns how many contacts match. What the action needs besides is looked at in the handlers.
Api::Api(chassis::Process& process, Store& store, Worker& worker) : store_(store), worker_(worker) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/contacts/bulk-changes", Permission::get_contact, &Api::create);
  routes.get("/api/contacts/bulk-changes", Permission::get_contact, &Api::list);
  routes.get("/api/contacts/bulk-changes/{id}", Permission::get_contact, &Api::find);
  routes.post("/api/contacts/bulk-changes/{id}/cancel", Permission::get_contact, &Api::cancel);
}

namespace {

http::Problem no_change() { return chassis::not_found("there is no bulk change with this id"); }

http::Problem other_total(std::int64_t expected, std::int64_t total) {
  return http::Problem({.status = 409,
                        .detail = std::to_string(total) + " contacts match, not " + std::to_string(expected),
                        .errors = {{"/expected", "is not " + std::to_string(total)}}});
}

model::RawJson details_of(const BulkChange& change) {
  model::RawJson out{"{\"contacts\":"};
  model::write(out.text, change.contacts);
  out.text += ",\"action\":";
  model::write(out.text, change.action);
  out.text += '}';
  return out;
}

// One for all contacts. Deletions are found among the others.
events::AuditRecorded audit_of(const chassis::Call& call, const BulkChange& change, ActionType type,
                               model::RawJson details) {
  const auto action =
      type == ActionType::deleteContacts ? model::AuditAction::ContactsDeleted : model::AuditAction::ContactsChanged;
  auto entry = chassis::audit_entry(call, action, change.uniqueId, std::to_string(change.expected) + " contacts");
  entry.details = std::move(details);
  return entry;
}

}  // namespace

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto body = co_await call.body<StartBody>();
  call.require(permission_for(body.action.type));
  auto named = check(body);
  const auto expected = body.expected;
  const auto type = body.action.type;
  auto counted = co_await store_.count(call.organization(), std::move(body), std::move(named));
  if (counted.total != expected) throw other_total(expected, counted.total);
  const BulkChangeResponse answer{co_await store_.start(change, call.organization(), std::move(counted))};
  change.emit(audit_of(call, answer.bulkChange, type, details_of(answer.bulkChange)));
  auto response = http::json_response(answer, 202);
  response.add("Location", "/api/contacts/bulk-changes/" + answer.bulkChange.uniqueId.text());
  co_await change.commit(response);
  worker_.notify();
  co_return response;
}

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  std::size_t octets = 0;
  for (const auto& change : page.bulkChanges) octets += change.contacts.text.size() + change.action.text.size();
  call.request.expect_answer(octets);
  const auto sorted_by = [](const BulkChangeSummary&) { return ""; };  // sorted by id alone
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.bulkChanges), page.total, sorted_by);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_change();
  co_return http::json_response(BulkChangeResponse{std::move(*found)});
}

awaitable<http::Response> Api::cancel(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  const auto found = co_await store_.find(call.organization(), id);
  if (!found) throw no_change();
  call.require(permission_for(type_of(*found)));
  auto cancelled = co_await store_.cancel(change, call.organization(), id);
  if (!cancelled) throw no_change();
  if (!found->finishedAt && cancelled->status == Status::Cancelled) {
    model::RawJson details{"{\"cancelled\":true,\"changed\":" + std::to_string(cancelled->changed) + "}"};
    change.emit(audit_of(call, *cancelled, type_of(*found), std::move(details)));
  }
  co_return http::json_response(BulkChangeResponse{std::move(*cancelled)});
}

}  // namespace parley::contacts::bulk
