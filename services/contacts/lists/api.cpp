#include "contacts/lists/api.hpp"

#include <algorithm>

#include "common/chassis/audit.hpp"
#include "common/events/contact_changes.hpp"
#include "contacts/lists/checks.hpp"

namespace parley::contacts::lists {

using identity::Permission;

Api::Api(chassis::Process& process, pg::Pool& database, Store& store, chassis::EventFeed& feed)
    : database_(database), store_(store), feed_(feed) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/lists", Permission::get_list, &Api::list);
  routes.post("/api/lists", Permission::create_list, &Api::create);
  routes.get("/api/lists/{id}", Permission::get_list, &Api::find);
  routes.post("/api/lists/{id}", Permission::update_list, &Api::update);
  routes.del("/api/lists/{id}", Permission::delete_list, &Api::remove);
  routes.post("/api/lists/{id}/contacts", Permission::update_list, &Api::change_members);
  const chassis::Services conversations{{"conversations"}};
  routes.post("/internal/lists", conversations, &Api::make);
  routes.post("/internal/lists/known", conversations, &Api::known);
  routes.post("/internal/lists/{id}/contacts", conversations, &Api::add_members);
}

namespace {

http::Problem no_list() { return chassis::not_found("there is no list with this id"); }

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [&](const model::List& last) { return lists::sorted_by(last, filter.sort_by); };
  co_return http::page_response<PageAnswer>(call.request, filter, std::move(page.lists), page.total, sorted_by);
}

awaitable<http::Response> Api::create(chassis::Call& call) {
  auto list = check(co_await call.body<CreateList>());
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const ListAnswer answer{co_await store_.create(once.transaction(), call.organization(), std::move(list))};
  co_return co_await once.commit(http::created(answer, "/api/lists/" + answer.list.uniqueId.text()));
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto list = co_await store_.find(call.organization(), call.id());
  if (!list) throw no_list();
  call.show_version(list->version);
  co_return http::json_response(ListAnswer{std::move(*list)});
}

awaitable<http::Response> Api::update(chassis::Call& call) {
  const auto id = call.id();
  auto changes = check(co_await call.body<UpdateList>());
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const auto old = co_await store_.lock(once.transaction(), call.organization(), id);
  if (!old) throw no_list();
  call.require_version(old->version);
  const ListAnswer answer{co_await store_.update(once.transaction(), call.organization(), id, std::move(changes))};
  co_return co_await once.commit(http::json_response(answer));
}

awaitable<http::Response> Api::remove(chassis::Call& call) {
  const auto id = call.id();
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const auto old = co_await store_.lock_to_delete(once.transaction(), call.organization(), id);
  if (!old) throw no_list();
  call.require_version(old->version);
  events::Changes told;
  told.add(events::ListDeleted{call.organization(), id});
  told.add(chassis::audit_entry(call, model::AuditAction::ListDeleted, id, old->name));
  co_await store_.remove(once.transaction(), call.organization(), id, told.json());
  auto response = co_await once.commit(http::no_content());
  feed_.kick();
  co_return response;
}

awaitable<http::Response> Api::change_members(chassis::Call& call) {
  const auto id = call.id();
  auto changes = check(co_await call.body<UpdateMembers>());
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const auto old = co_await store_.lock(once.transaction(), call.organization(), id);
  if (!old) throw no_list();
  call.require_version(old->version);
  const ListAnswer answer{
      co_await store_.change_members(once.transaction(), call.organization(), id, std::move(changes))};
  co_return co_await once.commit(http::json_response(answer));
}

// Asked again it changes nothing: with its Idempotency-Key it does not bring back a list that was deleted meanwhile.
awaitable<http::Response> Api::make(chassis::Call& call) {
  auto body = co_await call.body<MakeList>();
  const auto organization = body.organizationId;
  auto list = check(std::move(body));
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const auto known = co_await store_.lock(once.transaction(), organization, list.id);
  if (!known) co_await store_.create(once.transaction(), organization, std::move(list));
  co_return co_await once.commit(http::no_content());
}

awaitable<http::Response> Api::known(chassis::Call& call) {
  auto body = co_await call.body<KnownLists>();
  body.listIds = co_await store_.known(body.organizationId, std::move(body.listIds));
  co_return http::json_response(body);
}

awaitable<http::Response> Api::add_members(chassis::Call& call) {
  const auto id = call.id();
  auto body = co_await call.body<AddContacts>();
  const auto organization = body.organizationId;
  auto contacts = check(std::move(body));
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const auto list = co_await store_.lock(once.transaction(), organization, id);
  if (!list) throw no_list();
  const AddedAnswer answer{co_await store_.add_members(once.transaction(), organization, id, std::move(contacts))};
  co_return co_await once.commit(http::json_response(answer));
}

}  // namespace parley::contacts::lists
