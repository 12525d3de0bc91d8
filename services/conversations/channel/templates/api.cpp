#include "conversations/channel/templates/api.hpp"

#include <algorithm>

namespace parley::conversations::templates {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, Catalogue& catalogue) : store_(store), catalogue_(catalogue) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/organization/templates", Permission::get_message_templates, &Api::list);
  routes.get("/api/organization/phone-numbers", Permission::get_phone_numbers, &Api::phone_numbers);
}

namespace {

// Text of a cursor. No part contains a line break; read_place() rejects text with more than two.
std::string text_of(const Template& last) { return last.name + '\n' + last.language + '\n' + last.id; }

std::optional<PageCursor> read_place(const std::string& text) {
  const auto first = text.find('\n');
  const auto second = first == text.npos ? first : text.find('\n', first + 1);
  if (second == text.npos || text.find('\n', second + 1) != text.npos) return std::nullopt;
  return PageCursor{text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

Filter check(ListQuery query) {
  http::Faults faults;
  Filter filter{http::read_page_filter(query, http::Order::asc, faults)};
  filter.status = std::move(query.status);
  filter.name = std::move(query.name);
  filter.language = std::move(query.language);
  filter.category = std::move(query.category);
  if (filter.after) {
    filter.place = read_place(filter.after->text);
    if (!filter.place) faults.add("?cursor", "is not one that this list gave for this order");
  }
  faults.throw_if_any();
  return filter;
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  const auto business_account = co_await catalogue_.refresh(call, Kind::Templates);
  Page page;
  if (business_account) page = co_await store_.list(call.organization(), *business_account, filter);
  const bool is_full = std::ssize(page.templates) == filter.paging.per_page;
  PageResponse answer{std::move(page.templates), {filter.paging.page(), filter.paging.per_page, page.total}};
  const auto next = [&](bool is_whole) -> std::optional<std::string> {
    if (is_whole && !is_full) return std::nullopt;
    return http::write_cursor(filter.order_name(), {{}, text_of(answer.templates.back())});
  };
  co_return http::fitting_response(call.request, answer, filter.after.has_value(), next);
}

awaitable<http::Response> Api::phone_numbers(chassis::Call& call) {
  const auto business_account = co_await catalogue_.refresh(call, Kind::PhoneNumbers);
  PhoneNumbersResponse answer;
  if (business_account) {
    answer.phoneNumbers = co_await store_.phone_numbers(call.organization(), *business_account);
    answer.notices = co_await store_.notices(call.organization(), *business_account);
  }
  const auto count = std::ssize(answer.phoneNumbers);
  answer.paginationMeta = {1, std::max<std::int64_t>(count, 1), count};
  co_return http::json_response(answer);
}

}  // namespace parley::conversations::templates
