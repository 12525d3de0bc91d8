#include "contacts/segments/api.hpp"

#include "common/chassis/change.hpp"
#include "contacts/segments/checks.hpp"

namespace parley::contacts::segments {

using identity::Permission;

// A segment stands where a list does, so the permissions are those of lists. To count the contacts of any filter tells
// of their attributes.
Api::Api(chassis::Process& process, Store& store, contacts::Store& contacts) : store_(store), contacts_(contacts) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/segments", Permission::get_list, &Api::list);
  routes.post("/api/segments", Permission::create_list, &Api::create);
  routes.post("/api/segments/count", Permission::get_contact, &Api::count);
  routes.get("/api/contacts/attributes", Permission::get_contact, &Api::attributes);
  routes.get("/api/segments/{id}", Permission::get_list, &Api::find);
  routes.post("/api/segments/{id}", Permission::update_list, &Api::update);
  routes.del("/api/segments/{id}", Permission::delete_list, &Api::remove);
  routes.serve(contracts::contacts::known_segments, &Api::known);
}

namespace {

http::Problem no_segment() { return chassis::not_found("there is no segment with this id"); }

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [&](const Segment& last) { return filter.sort_by == SortBy::name ? last.name : ""; };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.segments), page.total, sorted_by);
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto segment = check_new(co_await call.body<SegmentBody>());
  co_await store_.require(call.organization(), segment.named);
  const SegmentResponse answer{co_await store_.create(change, call.organization(), std::move(segment))};
  co_return http::created(answer, "/api/segments/" + answer.segment.uniqueId.text());
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto segment = co_await store_.find(call.organization(), call.id());
  if (!segment) throw no_segment();
  call.show_version(segment->version);
  co_return http::json_response(SegmentResponse{std::move(*segment)});
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  auto changes = check(co_await call.body<SegmentBody>());
  co_await store_.require(call.organization(), changes.named);
  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_segment();
  call.require_version(old->version);
  const SegmentResponse answer{co_await store_.update(change, call.organization(), id, std::move(changes))};
  co_return http::json_response(answer);
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto id = call.id();
  const auto old = co_await store_.lock(change, call.organization(), id);
  if (!old) throw no_segment();
  call.require_version(old->version);
  co_await store_.remove(change, call.organization(), id);
  change.audit(model::AuditAction::SegmentDeleted, id, old->name);
  co_return http::no_content();
}

awaitable<http::Response> Api::attributes(chassis::Call& call) {
  co_return http::json_response(co_await store_.attributes(call.organization()));
}

awaitable<http::Response> Api::count(chassis::Call& call, chassis::Change&) {
  const auto filter = check(co_await call.body<CountBody>());
  co_return http::json_response(CountResponse{co_await contacts_.count(call.organization(), filter)});
}

awaitable<contracts::contacts::Segments> Api::known(chassis::Call&, contracts::contacts::Segments body) {
  body.segmentIds = co_await store_.known(body.organizationId, std::move(body.segmentIds));
  co_return body;
}

}  // namespace parley::contacts::segments
