// What all lists share: paging beside a cursor, cursors that know their order, the link to the next page.
#include <doctest/doctest.h>

#include "common/http/page.hpp"
#include "common/model/page.hpp"

using namespace parley;
using http::Cursor;

namespace {

std::optional<Cursor> read(std::string_view order, const std::string& text) {
  http::Faults faults;
  auto cursor = http::read_cursor(order, text, faults);
  CHECK(faults.empty() == cursor.has_value());
  return cursor;
}

std::string fault_of(const http::PageQuery& query) {
  http::Faults faults;
  http::read_paging(query, faults);
  http::read_search(query, faults);
  try {
    faults.throw_if_any();
  } catch (const http::Problem& problem) {
    CHECK(problem.status == 400);
    return problem.errors.front().pointer;
  }
  return "";
}

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)
struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
};

struct Record {
  model::Uuid uniqueId = model::new_uuid();
  std::string name;
};
BOOST_DESCRIBE_STRUCT(Record, (), (uniqueId, name))
struct PageResponse {
  std::vector<Record> records;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (records, paginationMeta))

http::Response respond(const http::PageFilter<SortBy>& filter, std::vector<Record> records) {
  http::Request request;
  request.path = "/api/records";
  request.query = "per_page=2&sort_by=name";
  return http::page_response<PageResponse>(request, filter, std::move(records), 7,
                                           [](const Record& last) { return last.name; });
}

std::string next_of(const std::string& path, const std::string& query) {
  http::Request request;
  request.path = path;
  request.query = query;
  return http::next_link(request, "CURSOR");
}

}  // namespace

TEST_SUITE("unit: http page") {
  TEST_CASE("a cursor is read back under the order that it was made for") {
    const auto id = model::new_uuid();
    for (const std::string text : {"", "Ada", "a\nb", "name asc\n", "Zoë 李", "100%\\_"}) {
      const auto cursor = read("name asc", http::write_cursor("name asc", {id, text}));
      REQUIRE(cursor);
      CHECK(cursor->id == id);
      CHECK(cursor->text == text);
    }
    const auto long_name = std::string(1020, 'x');
    CHECK(read("n", http::write_cursor("n", {id, long_name}))->text == long_name);
  }

  TEST_CASE("under another order, or made by anybody else, it is refused") {
    const auto id = model::new_uuid();
    const auto made = http::write_cursor("createdAt desc", {id, ""});
    for (const std::string order : {"createdAt asc", "name desc", "createdAt", "", "createdAt desc2"})
      CHECK_FALSE(read(order, made));
    for (const auto& text : {std::string(), std::string("x"), made + "A", made.substr(0, made.size() - 8), "%" + made,
                             made + "=", id.text(), http::write_cursor("createdAt desc", {id, std::string("a\0b", 3)}),
                             http::write_cursor("createdAt desc", {id, "\xFF"}),
                             // of an id in capitals: "createdAt desc\n01949C3A-7B2E-7C41-9D3F-5A8E2B6C1F04"
                             std::string("Y3JlYXRlZEF0IGRlc2MKMDE5NDlDM0EtN0IyRS03QzQxLTlEM0YtNUE4RTJCNkMxRjA0")}) {
      CAPTURE(text);
      CHECK_FALSE(read("createdAt desc", text));
    }
  }

  TEST_CASE("what a cursor goes together with") {
    http::PageQuery query;
    query.cursor = "x";
    query.per_page = 10;
    CHECK(fault_of(query).empty());
    query.skip = 0;  // as clients send it that send every default
    query.page = 1;
    query.limit = 10;
    CHECK(fault_of(query).empty());
    query.skip = 1;
    query.page.reset();
    CHECK(fault_of(query).empty());
    query.skip.reset();
    query.page = 2;
    CHECK(fault_of(query) == "?cursor");
    query = {};
    query.per_page = 101;
    CHECK(fault_of(query) == "?per_page");
    query = {};
    query.search = std::string(100, 'a');
    CHECK(fault_of(query).empty());
    *query.search += 'a';
    CHECK(fault_of(query) == "?search");
  }

  TEST_CASE("a list's query, checked: unless asked otherwise it is sorted as it usually is") {
    ListQuery query;
    CHECK(http::read_page_filter(query).order_name() == "createdAt asc");
    CHECK(http::read_page_filter(query, http::Order::desc).order_name() == "createdAt desc");
    query.sort_by = SortBy::name;
    query.order = http::Order::asc;
    query.search = "ada";
    query.per_page = 5;
    const auto id = model::new_uuid();
    query.cursor = http::write_cursor("name asc", {id, "Ada"});
    const auto filter = http::read_page_filter(query, http::Order::desc);
    CHECK(filter.order_name() == "name asc");
    CHECK(filter.search == "ada");
    CHECK(filter.paging.per_page == 5);
    REQUIRE(filter.after);
    CHECK(filter.after->id == id);
    query.order = http::Order::desc;  // not the cursor's
    query.per_page = 0;
    query.search = std::string(101, 'a');
    try {
      http::read_page_filter(query);
      FAIL("was let through");
    } catch (const http::Problem& problem) {
      CHECK(problem.status == 400);
      CHECK(problem.errors.size() == 3);
    }
  }

  TEST_CASE("a full page leads to the next one, another does not") {
    const http::PageFilter<SortBy> filter{{.skip = 2, .per_page = 2}, SortBy::name, false, "", {}};
    const std::vector<Record> records{{.name = "Ada"}, {.name = "Bob"}};
    auto response = respond(filter, records);
    const auto meta = response.body.find(R"("name":"Bob"}],"paginationMeta":{"page":2,"per_page":2,"total":7,)");
    REQUIRE(meta != std::string::npos);
    const std::string before = "Link: </api/records?per_page=2&sort_by=name&cursor=", after = ">; rel=\"next\"\r\n";
    REQUIRE(response.head.starts_with(before));
    REQUIRE(response.head.ends_with(after));
    response.head.resize(response.head.size() - after.size());
    const auto cursor = read("name asc", response.head.substr(before.size()));
    REQUIRE(cursor);
    CHECK(cursor->id == records[1].uniqueId);
    CHECK(cursor->text == "Bob");
    CHECK(response.body.ends_with(R"(,"nextCursor":")" + response.head.substr(before.size()) + R"("}})"));
    for (const auto& last : {std::vector<Record>{records[0]}, std::vector<Record>{}}) {
      CHECK(respond(filter, last).head.empty());
      CHECK(respond(filter, last).body.ends_with(R"(,"total":7,"nextCursor":null}})"));
    }
  }

  TEST_CASE("a page that is too long ends early behind a cursor, and is refused otherwise") {
    const std::string half(http::kMaxPageOctets / 2 - 100, 'x');
    const std::vector<Record> records{{.name = half}, {.name = half}, {.name = half}};
    http::PageFilter<SortBy> filter{{.per_page = 4}, SortBy::createdAt, false, "", {}};
    for (const std::int64_t skip : {0, 4}) {
      filter.paging.skip = skip;
      try {
        respond(filter, records);
        FAIL("was let through");
      } catch (const http::Problem& problem) {
        CHECK(problem.status == 400);
        REQUIRE(problem.errors.size() == 1);
        CHECK(problem.errors[0].pointer == "?per_page");
        CHECK(problem.errors[0].detail.starts_with("must be at most 2 here"));
      }
    }
    filter.paging.skip = 0;
    filter.after = Cursor{};
    const auto response = respond(filter, records);
    CHECK(response.body.find("paginationMeta") < http::kMaxPageOctets + 1'000);
    CHECK(response.body.find(records[1].uniqueId.text()) != std::string::npos);
    CHECK(response.body.find(records[2].uniqueId.text()) == std::string::npos);
    CHECK(response.head.starts_with("Link: "));
    CHECK(respond(filter, {records[0], records[1]}).head.empty());
    // One alone is told however long it is.
    filter.after.reset();
    CHECK(respond(filter, {{.name = half + half + half}}).body.size() > http::kMaxPageOctets);
  }

  TEST_CASE("the link asks the same question after this page") {
    CHECK(next_of("/api/tags", "") == R"(</api/tags?cursor=CURSOR>; rel="next")");
    CHECK(next_of("/api/tags", "search=a%26b+c&page=2&skip=4&cursor=old&per_page=5") ==
          R"(</api/tags?search=a%26b%20c&per_page=5&cursor=CURSOR>; rel="next")");
  }
}
