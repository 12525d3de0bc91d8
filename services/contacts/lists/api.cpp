#include "contacts/lists/api.hpp"

#include <algorithm>

#include "common/chassis/change.hpp"
#include "common/events/contact_changes.hpp"
#include "contacts/lists/checks.hpp"

namespace parley::contacts::lists {

namespace contract = contracts::contacts;
using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/lists", Permission::get_list, &Api::list);
  routes.post("/api/lists", Permission::create_list, &Api::create);
  routes.get("/api/lists/{id}", Permission::get_list, &Api::find);
  routes.post("/api/lists/{id}", Permission::update_list, &Api::update);
  routes.del("/api/lists/{id}", Permission::delete_list, &Api::remove);
  routes.post("/api/lists/{id}/contacts", Permission::update_list, &Api::change_members);
  routes.serve(contract::make_list, &Api::make);
  routes.serve(contract::known_lists, &Api::known);
  routes.serve(contract::add_contacts, &Api::add_members);
}

namespace {

http::Problem no_list() { return chassis::not_found("there is no list with this id"); }

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [&](const model::List& last) { return lists::sorted_by(last, filter.sort_by); };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.lists), page.total, sorted_by);
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto list = check(co_await call.body<CreateList>());
  const ListResponse answer{co_await store_.create(change, call.organization(), std::move(list))};
  co_return http::created(answer, "/api/lists/" + answer.list.uniqueId.text());
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto list = co_await store_.find(call.organization(), call.id());
  if (!list) throw no_list();
  call.show_version(list->version);
  co_return http::json_response(ListResponse{std::move(*list)});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  auto changes = check(co_await call.body<UpdateList>());
  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_list();
  call.require_version(old->version);
  const ListResponse answer{co_await store_.update(change, call.organization(), id, std::move(changes))};
  co_return http::json_response(answer);
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  const auto old = co_await store_.lock_to_delete(change, call.organization(), id);
  if (!old) throw no_list();
  call.require_version(old->version);
  co_await store_.remove(change, call.organization(), id);
  change.emit(events::ListDeleted{call.organization(), id});
  change.audit(model::AuditAction::ListDeleted, id, old->name);
  co_return http::no_content();
}

awaitable<http::Response> Api::change_members(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  auto changes = check(co_await call.body<UpdateMembers>());
  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_list();
  call.require_version(old->version);
  const ListResponse answer{co_await store_.change_members(change, call.organization(), id, std::move(changes))};
  co_return http::json_response(answer);
}

awaitable<chassis::Nothing> Api::make(chassis::Call&, chassis::Change& change, contract::MakeList body) {
  const auto organization = body.organizationId;
  auto list = check(std::move(body));
  const auto known = co_await store_.lock(change, organization, list.id);
  if (!known) co_await store_.create(change, organization, std::move(list));
  co_return chassis::Nothing{};
}

awaitable<contract::Lists> Api::known(chassis::Call&, contract::Lists body) {
  body.listIds = co_await store_.known(body.organizationId, std::move(body.listIds));
  co_return body;
}

awaitable<contract::Added> Api::add_members(chassis::Call& call, chassis::Change& change, contract::AddContacts body) {
  const auto id = call.id();
  const auto organization = body.organizationId;
  auto contacts = check(std::move(body));
  const auto list = co_await store_.lock(change, organization, id);
  if (!list) throw no_list();
  co_return contract::Added{co_await store_.add_members(change, organization, id, std::move(contacts))};
}

}  // namespace parley::contacts::lists
