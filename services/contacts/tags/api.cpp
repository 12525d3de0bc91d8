#include "contacts/tags/api.hpp"

#include "common/chassis/change.hpp"
#include "common/events/contact_changes.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::tags {

using identity::Permission;

Api::Api(chassis::Process& process, pg::Pool& database, Store& store) : database_(database), store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/tags", Permission::get_tag, &Api::list);
  routes.post("/api/tags", Permission::create_tag, &Api::create);
  routes.get("/api/tags/{id}", Permission::get_tag, &Api::find);
  routes.post("/api/tags/{id}", Permission::update_tag, &Api::update);
  routes.del("/api/tags/{id}", Permission::delete_tag, &Api::remove);
  routes.serve(contracts::contacts::resolve_tags, &Api::resolve);
}

namespace {

// The default order: newest first, labels from A to Z.
Filter check(const ListQuery& query) {
  return http::read_page_filter(query, query.sort_by == SortBy::label ? http::Order::asc : http::Order::desc);
}

void require_label(const std::string& label) {
  http::Faults faults;
  check_label("/label", label, faults);
  faults.throw_if_any();
}

http::Problem no_tag() { return chassis::not_found("there is no tag with this id"); }

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [&](const model::Tag& last) { return last.label; };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.tags), page.total, sorted_by);
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  const auto body = co_await call.body<CreateTag>();
  require_label(body.label);
  const TagResponse answer{co_await store_.create(change, call.organization(), body.label)};
  co_return http::created(answer, "/api/tags/" + answer.tag.uniqueId.text());
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto tag = co_await store_.find(call.organization(), call.id());
  if (!tag) throw no_tag();
  call.show_version(tag->version);
  co_return http::json_response(TagResponse{std::move(*tag)});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  const auto body = co_await call.body<UpdateTag>();
  if (body.label) require_label(*body.label);
  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_tag();
  call.require_version(old->version);
  const auto label = body.label.value_or(old->label);
  const TagResponse answer{co_await store_.rename(change, call.organization(), id, label)};
  co_return http::json_response(answer);
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  const auto old = co_await store_.lock_to_delete(change, call.organization(), id);
  if (!old) throw no_tag();
  call.require_version(old->version);
  co_await store_.remove(change, call.organization(), id);
  change.emit(events::TagDeleted{call.organization(), id});
  change.audit(model::AuditAction::TagDeleted, id, old->label);
  co_return http::no_content();
}

// Creates missing tags, for conversations' tags.
awaitable<contracts::contacts::Tags> Api::resolve(chassis::Call&, contracts::contacts::TagNames body) {
  http::Faults faults;
  check_names("/tags", body.tags, faults);
  faults.throw_if_any();
  auto transaction = co_await database_.begin(body.organizationId);
  contracts::contacts::Tags answer{co_await store_.resolve(transaction, body.organizationId, std::move(body.tags))};
  co_await transaction.commit();
  co_return answer;
}

}  // namespace parley::contacts::tags
