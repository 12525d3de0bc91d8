#pragma once
// What the pages of all lists have in common: their parameters, their cursors, the link to the next one.
#include <boost/describe/class.hpp>

#include "common/http/query.hpp"

namespace parley::http {

// The parameters of every list. A resource's own query derives from it, adding sort_by and its filters:
//   struct ListQuery : http::PageQuery { std::optional<SortBy> sort_by; };
//   BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))
struct PageQuery {
  std::optional<std::int64_t> skip, page, per_page, limit;
  std::optional<Order> order;
  std::optional<std::string> search, cursor;
};
BOOST_DESCRIBE_STRUCT(PageQuery, (), (skip, page, per_page, limit, order, search, cursor))

// The paging that a query asks for. What is wrong with it, and a cursor beside skip or page, is added to the faults.
Paging read_paging(const PageQuery& query, Faults& faults);

// What to search for, as typed, at most 100 characters; "" for everything.
std::string read_search(const PageQuery& query, Faults& faults);

// Where a page ended: its last one's id, after what it is sorted by if that is not the id itself.
struct Cursor {
  model::Uuid id;
  std::string text;
};

// Opaque to clients. `order_name` says what the list was sorted by and which way ("name desc"): a cursor is of no use
// under another order, where it would begin somewhere else in silence.
std::string write_cursor(std::string_view order_name, const Cursor& cursor);
// nullopt, with a fault of `?cursor`, for what write_cursor() did not make for this order.
std::optional<Cursor> read_cursor(std::string_view order_name, const std::string& text, Faults& faults);

// The value of Link (RFC 8288) that leads to the next page: the same question, after this page.
std::string next_link(const Request& request, const std::string& cursor);

}  // namespace parley::http
