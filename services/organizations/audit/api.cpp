#include "organizations/audit/api.hpp"

namespace parley::organizations::audit {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/organization/audit", Permission::get_organization, &Api::list);
}

namespace {

std::optional<After> read_after(std::string_view order_name, const std::string& text, http::Faults& faults) {
  const auto cursor = http::read_cursor(order_name, text, faults);
  if (!cursor) return std::nullopt;
  const auto moment = model::Timestamp::parse(cursor->text);
  if (!moment) faults.add("?cursor", "is not one that this list gave for this order");
  return After{moment.value_or(model::Timestamp{}), cursor->id};
}

Filter check(const ListQuery& query) {
  http::Faults faults;
  Filter filter;
  filter.paging = http::read_paging(query, faults);
  filter.descending = query.order != http::Order::asc;
  filter.search = http::read_search(query, faults);
  filter.action = query.action;
  filter.member_id = query.member_id;
  filter.from = query.from;
  filter.to = query.to;
  if (query.from && query.to && *query.to <= *query.from) faults.add("?to", "must be after from");
  if (query.cursor) filter.after = read_after(filter.order_name(), *query.cursor, faults);
  faults.throw_if_any();
  return filter;
}

}  // namespace

// Requires Owner or Admin: a permission granted by a role covers the organization, not the actions of its members.
awaitable<http::Response> Api::list(chassis::Call& call) {
  if (call.identity.access_level == model::AccessLevel::Member)
    throw http::Problem({.status = 403, .detail = "only an Owner or an Admin may read the audit"});
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [&](const model::AuditEntry& last) { return last.createdAt.text(); };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.entries), page.total, sorted_by);
}

}  // namespace parley::organizations::audit
