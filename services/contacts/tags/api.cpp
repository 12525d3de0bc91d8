#include "contacts/tags/api.hpp"

#include "common/chassis/audit.hpp"
#include "common/events/contact_changes.hpp"

namespace parley::contacts::tags {

using identity::Permission;

Api::Api(chassis::Process& process, pg::Pool& database, Store& store, chassis::EventFeed& feed)
    : database_(database), store_(store), feed_(feed) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/tags", Permission::get_tag, &Api::list);
  routes.post("/api/tags", Permission::create_tag, &Api::create);
  routes.get("/api/tags/{id}", Permission::get_tag, &Api::find);
  routes.post("/api/tags/{id}", Permission::update_tag, &Api::update);
  routes.del("/api/tags/{id}", Permission::delete_tag, &Api::remove);
}

namespace {

// "label asc": what a cursor is good for.
std::string order_name(const Filter& filter) {
  return std::string(model::name_of(filter.sort_by)) + (filter.descending ? " desc" : " asc");
}

Filter check(const ListQuery& query) {
  http::Faults faults;
  Filter filter;
  filter.paging = http::read_paging(query, faults);
  filter.search = http::read_search(query, faults);
  filter.sort_by = query.sort_by.value_or(SortBy::createdAt);
  // Without a word about the order: the newest first, labels from A to Z.
  const auto usual = filter.sort_by == SortBy::label ? http::Order::asc : http::Order::desc;
  filter.descending = query.order.value_or(usual) == http::Order::desc;
  if (query.cursor) filter.after = http::read_cursor(order_name(filter), *query.cursor, faults);
  faults.throw_if_any();
  return filter;
}

void check_label(const std::string& label) {
  http::Faults faults;
  faults.check_text("/label", label, 1, kMostLabelCharacters);
  faults.throw_if_any();
}

http::Problem no_tag() { return chassis::not_found("there is no tag with this id"); }

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const bool more = static_cast<std::int64_t>(page.tags.size()) == filter.paging.per_page;
  std::string cursor;
  if (more) cursor = http::write_cursor(order_name(filter), {page.tags.back().uniqueId, page.tags.back().label});
  auto response =
      http::json_response(PageAnswer{std::move(page.tags), {filter.paging.page(), filter.paging.per_page, page.total}});
  if (more) response.add("Link", http::next_link(call.request, cursor));
  co_return response;
}

awaitable<http::Response> Api::create(chassis::Call& call) {
  const auto body = co_await call.body<CreateTag>();
  check_label(body.label);
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const TagAnswer answer{co_await store_.create(once.transaction(), call.organization(), body.label)};
  co_return co_await once.commit(http::created(answer, "/api/tags/" + answer.tag.uniqueId.text()));
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto tag = co_await store_.find(call.organization(), call.id());
  if (!tag) throw no_tag();
  co_return http::json_response(TagAnswer{std::move(*tag)});
}

awaitable<http::Response> Api::update(chassis::Call& call) {
  const auto id = call.id();
  const auto body = co_await call.body<UpdateTag>();
  if (body.label) check_label(*body.label);
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const auto old = co_await store_.lock(once.transaction(), call.organization(), id);
  if (!old) throw no_tag();
  co_await call.require_match([&] { return find(call); });
  const auto label = body.label.value_or(*old);
  const TagAnswer answer{co_await store_.rename(once.transaction(), call.organization(), id, label)};
  co_return co_await once.commit(http::json_response(answer));
}

awaitable<http::Response> Api::remove(chassis::Call& call) {
  const auto id = call.id();
  auto once = co_await call.begin(database_);
  if (const auto* kept = once.kept()) co_return *kept;
  const auto label = co_await store_.lock_to_delete(once.transaction(), call.organization(), id);
  if (!label) throw no_tag();
  co_await call.require_match([&] { return find(call); });
  events::Changes told;
  told.add(events::TagDeleted{call.organization(), id});
  told.add(chassis::audit_entry(call, model::AuditAction::TagDeleted, id, *label));
  co_await store_.remove(once.transaction(), call.organization(), id, told.json());
  auto response = co_await once.commit(http::no_content());
  feed_.kick();
  co_return response;
}

}  // namespace parley::contacts::tags
