#pragma once
// What the pages of all lists have in common: their parameters, their cursors, the link to the next one.
#include <boost/describe/class.hpp>

#include "common/http/body.hpp"
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

// What a list is asked for, checked. A resource's own filter may derive from it, adding what else it filters by.
template <model::DescribedEnum SortBy>
struct PageFilter {
  Paging paging;
  SortBy sort_by{};  // the first one, unless asked otherwise
  bool descending = true;
  std::string search;           // as typed, "" for everything
  std::optional<Cursor> after;  // where the page before ended

  std::string order_name() const { return std::string(model::name_of(sort_by)) + (descending ? " desc" : " asc"); }
};

// Reads the filter from a resource's own query, which says how it may be sorted; `usual` is the order that nobody asked
// for. What is wrong is added to the faults.
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
// The same; what is wrong is a Problem 400.
template <class Query>
auto read_page_filter(const Query& query, Order usual = Order::asc) {
  Faults faults;
  auto filter = read_page_filter(query, usual, faults);
  faults.throw_if_any();
  return filter;
}

// The value of Link (RFC 8288) that leads to the next page: the same question, after this page.
std::string next_link(const Request& request, const std::string& cursor);

// The most octets of a page's records as JSON, but for a single record that is longer: a page takes several times that
// much memory while it is made, of which a process has little.
inline constexpr std::size_t kMaxPageOctets = 4 << 20;

// Refuses a page that is too long, of which so many records would fit: a Problem 400.
[[noreturn]] void throw_too_long(std::size_t fitting);

// Appends the records as a JSON array, up to the last one that fits. How many they are: one at least, if there is one.
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

// The records of a resource's own PageResponse: its first member.
template <class PageResponse>
auto& records_of(PageResponse& answer) {
  return answer.*(boost::mp11::mp_front<model::Members<PageResponse>>::pointer);
}

// The JSON of a PageResponse, with those of its records that fit. A page that was asked for by a cursor ends with
// these, and loses the others: its Link is to go on behind them. Any other that does not fit is refused, as who counts
// what to skip would miss the rest.
template <class PageResponse>
Response fitting_response(PageResponse& answer, bool by_cursor) {
  auto& records = records_of(answer);
  Response response;
  auto& out = response.body;
  std::size_t fitting = 0;
  boost::mp11::mp_for_each<model::Members<PageResponse>>([&](auto member) {
    out.append(out.empty() ? "{\"" : ",\"").append(member.name).append("\":");
    auto& value = answer.*member.pointer;
    if constexpr (std::is_same_v<decltype(value), decltype(records)>)
      fitting = write_fitting(out, value);
    else
      model::write(out, value);
  });
  out += '}';
  if (fitting < records.size() && !by_cursor) throw_too_long(fitting);
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(fitting), records.end());
  return response;
}

// The answer that a page is: a resource's own PageResponse, of records and their model::PaginationMeta, with a Link to
// the next page if this one is full. `sorted_by` gives what its last record is sorted by, "" if that is the id. `cut`:
// there are more that belong to this page, which were left out as it would be too long.
template <class PageResponse, class Filter, class Record, class SortedBy>
Response page_response(const Request& request, const Filter& filter, std::vector<Record> records, std::int64_t total,
                       const SortedBy& sorted_by, bool cut = false) {
  const bool by_cursor = filter.after.has_value();
  const bool is_full = cut || std::ssize(records) == filter.paging.per_page;
  const auto length = records.size();
  PageResponse answer{std::move(records), {filter.paging.page(), filter.paging.per_page, total}};
  auto response = fitting_response(answer, by_cursor);
  const auto& shown = records_of(answer);
  if (shown.empty()) return response;
  if (cut && !by_cursor) throw_too_long(shown.size());
  if (!is_full && shown.size() == length) return response;
  const Record& last = shown.back();
  response.add("Link", next_link(request, write_cursor(filter.order_name(), {last.uniqueId, sorted_by(last)})));
  return response;
}

}  // namespace parley::http
