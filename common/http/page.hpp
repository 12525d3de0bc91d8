#pragma once
#include <boost/describe/class.hpp>

#include "common/http/body.hpp"
#include "common/http/query.hpp"

namespace parley::http {

// The parameters of every list. A resource's query derives from it and adds sort_by and its filters:
//   struct ListQuery : http::PageQuery { std::optional<SortBy> sort_by; };
//   BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))
struct PageQuery {
  std::optional<std::int64_t> skip, page, per_page, limit;
  std::optional<Order> order;
  std::optional<std::string> search, cursor;
};
BOOST_DESCRIBE_STRUCT(PageQuery, (), (skip, page, per_page, limit, order, search, cursor))

// `skip` counts from the cursor, if there is one. Adds invalid values, and a cursor beside a page, to the faults.
Paging read_paging(const PageQuery& query, Faults& faults);

// Returns the search text as typed, at most 100 characters; "" for none.
std::string read_search(const PageQuery& query, Faults& faults);

// The end of a page: the last record's id and its sort value ("" when sorted by id).
struct Cursor {
  model::Uuid id;
  std::string text;
};

// Opaque to clients. Holds `order_name` ("name desc"), because under another order a cursor would point elsewhere.
std::string write_cursor(std::string_view order_name, const Cursor& cursor);
// Returns nullopt, with a fault of `?cursor`, for a text that write_cursor() did not make for this order.
std::optional<Cursor> read_cursor(std::string_view order_name, const std::string& text, Faults& faults);

// A validated list query. A resource's own filter may derive from it.
template <model::DescribedEnum SortBy>
struct PageFilter {
  Paging paging;
  SortBy sort_by{};  // the first one by default
  bool descending = true;
  std::string search;           // as typed, "" for none
  std::optional<Cursor> after;  // the end of the previous page

  std::string order_name() const { return std::string(model::name_of(sort_by)) + (descending ? " desc" : " asc"); }
};

// Reads the filter from a resource's query and adds what is invalid to the faults; `usual` is the default direction.
template <class Query, class SortBy = typename decltype(Query::sort_by)::value_type>
PageFilter<SortBy> read_page_filter(const Query& query, Order usual, Faults& faults) {
  PageFilter<SortBy> filter;
  filter.paging = read_paging(query, faults);
  filter.sort_by = query.sort_by.value_or(SortBy{});
  filter.descending = query.order.value_or(usual) == Order::desc;
  filter.search = read_search(query, faults);
  if (query.cursor) filter.after = read_cursor(filter.order_name(), *query.cursor, faults);
  return filter;
}
template <class Query>
auto read_page_filter(const Query& query, Order usual = Order::asc) {
  Faults faults;
  auto filter = read_page_filter(query, usual, faults);
  faults.throw_if_any();
  return filter;
}

// A list whose only order is that of creation, by id, newest first unless asked otherwise: its parameters, from which a
// resource's query may derive, and the validated ones.
struct CreationQuery {
  std::optional<std::int64_t> skip, page, per_page, limit;
  std::optional<Order> order;
  std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(CreationQuery, (), (skip, page, per_page, limit, order, cursor))

struct CreationFilter {
  Paging paging{};
  bool descending = true;
  std::optional<model::Uuid> after{};  // the end of the previous page

  std::string_view order_name() const { return descending ? "createdAt desc" : "createdAt asc"; }
};
// Throws a Problem 400 that names each fault.
CreationFilter read_creation_filter(const CreationQuery& query);

// Returns the Link value (RFC 8288) for the next page: the same query, after this page.
std::string next_link(const Request& request, const std::string& cursor);

// Bound on a page's JSON octets, unless it has one record: building it takes several times as much memory.
inline constexpr std::size_t kMaxPageOctets = 4 << 20;

// Throws a Problem 400 that tells how many records would fit.
[[noreturn]] void throw_too_long(std::size_t fitting);

// Appends a JSON array of the records that fit and returns their number: at least one, if there is one.
template <class Record>
std::size_t write_fitting(std::string& out, const std::vector<Record>& records) {
  const auto begin = out.size();
  std::size_t written = 0;
  out += '[';
  for (const auto& record : records) {
    const auto end = out.size();
    if (written > 0) out += ',';
    model::write(out, record);
    if (written > 0 && out.size() - begin > kMaxPageOctets) {
      out.resize(end);
      break;
    }
    ++written;
  }
  out += ']';
  return written;
}

template <class PageResponse>
auto& records_of(PageResponse& answer) {
  return answer.*(boost::mp11::mp_front<model::Members<PageResponse>>::pointer);
}

// Returns the response for a PageResponse: its records, then paginationMeta, which gets the cursor of the next page; so
// does the Link. A page read by cursor is cut to the records that fit, since the next one continues behind them; any
// other page that does not fit throws, because a client that counts `skip` would miss the rest. `next_cursor(is_whole)`
// returns the cursor behind the records that are left in `answer`, nullopt if there are no more; `is_whole`: all fit.
template <class PageResponse, class NextCursor>
Response fitting_response(const Request& request, PageResponse& answer, bool by_cursor, const NextCursor& next_cursor) {
  auto& records = records_of(answer);
  auto& next = answer.paginationMeta.nextCursor;
  Response response;
  auto& out = response.body;
  boost::mp11::mp_for_each<model::Members<PageResponse>>([&](auto member) {
    out.append(out.empty() ? "{\"" : ",\"").append(member.name).append("\":");
    auto& value = answer.*member.pointer;
    if constexpr (std::is_same_v<decltype(value), decltype(records)>) {
      const auto fitting = write_fitting(out, value);
      const bool is_whole = fitting == records.size();
      if (!is_whole && !by_cursor) throw_too_long(fitting);
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(fitting), records.end());
      next = next_cursor(is_whole);
    } else {
      model::write(out, value);
    }
  });
  out += '}';
  if (next) response.add("Link", next_link(request, *next));
  return response;
}

// Returns the response for a page: a PageResponse of records and model::PaginationMeta, which leads to the next page if
// this one is full. `sorted_by` returns a record's sort value, "" when sorted by id. `cut`: more records belong to this
// page but were left out for its length.
template <class PageResponse, class Filter, class Record, class SortedBy>
Response page_response(const Request& request, const Filter& filter, std::vector<Record> records, std::int64_t total,
                       const SortedBy& sorted_by, bool cut = false) {
  const bool by_cursor = filter.after.has_value();
  const bool is_full = cut || std::ssize(records) == filter.paging.per_page;
  PageResponse answer{std::move(records), {filter.paging.page(), filter.paging.per_page, total}};
  const auto& shown = records_of(answer);
  return fitting_response(request, answer, by_cursor, [&](bool is_whole) -> std::optional<std::string> {
    if (shown.empty()) return std::nullopt;
    if (cut && !by_cursor) throw_too_long(shown.size());
    if (!is_full && is_whole) return std::nullopt;
    return write_cursor(filter.order_name(), {shown.back().uniqueId, sorted_by(shown.back())});
  });
}

}  // namespace parley::http
