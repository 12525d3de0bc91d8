#include "organizations/audit/api.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace parley::organizations::audit {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/organization/audit", Permission::get_organization, &Api::list);
}

namespace {

// Format: `moment`, and ` skip` if there is something left to skip.
std::optional<After> read_place(const http::Cursor& cursor) {
  const std::string_view text = cursor.text;
  const auto space = std::min(text.find(' '), text.size());
  const auto moment = model::Timestamp::parse(text.substr(0, space));
  if (!moment) return std::nullopt;
  After after{*moment, cursor.id};
  if (space == text.size()) return after;
  const auto digits = text.substr(space + 1);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), after.skip);
  const bool is_good = read.ec == std::errc{} && read.ptr == digits.data() + digits.size() && after.skip > 0;
  return is_good && after.skip <= std::numeric_limits<std::int32_t>::max() ? std::optional(after) : std::nullopt;
}

std::optional<After> read_after(std::string_view order_name, const std::string& text, http::Faults& faults) {
  const auto cursor = http::read_cursor(order_name, text, faults);
  if (!cursor) return std::nullopt;
  const auto after = read_place(*cursor);
  if (!after) faults.add("?cursor", "is not one that this list gave for this order");
  return after;
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

std::string text_of(const After& after) {
  auto text = after.created_at.text();
  if (after.skip > 0) text += ' ' + std::to_string(after.skip);
  return text;
}

// For a page of a search that ended before it was full, or with its last entry.
http::Response walked_response(const http::Request& request, const Filter& filter, Page page) {
  PageResponse answer{std::move(page.entries), {filter.paging.page(), filter.paging.per_page, page.total}};
  return http::fitting_response(request, answer, filter.after.has_value(), [&](bool is_whole) {
    auto behind = *page.walked_to;
    if (!is_whole) behind = {answer.entries.back().createdAt, answer.entries.back().uniqueId};
    return http::write_cursor(filter.order_name(), {behind.id, text_of(behind)});
  });
}

}  // namespace

// Requires Owner or Admin: a permission granted by a role covers the organization, not the actions of its members.
awaitable<http::Response> Api::list(chassis::Call& call) {
  if (call.identity.access_level == model::AccessLevel::Member)
    throw http::Problem({.status = 403, .detail = "only an Owner or an Admin may read the audit"});
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  if (page.walked_to) co_return walked_response(call.request, filter, std::move(page));
  const auto sorted_by = [&](const model::AuditEntry& last) { return last.createdAt.text(); };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.entries), page.total, sorted_by);
}

}  // namespace parley::organizations::audit
