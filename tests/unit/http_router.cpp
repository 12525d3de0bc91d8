// Routes and queries.
#include <doctest/doctest.h>

#include <boost/describe/class.hpp>
#include <concepts>
#include <optional>
#include <string>

#include "common/http/query.hpp"
#include "common/http/router.hpp"

namespace sample {

struct Query {
  std::optional<std::int64_t> skip, per_page;
  std::optional<std::string> search;
  std::optional<parley::model::Uuid> list_id;
  std::optional<parley::model::Timestamp> from;
  std::optional<parley::http::Order> order;
  std::optional<bool> unread;
};
BOOST_DESCRIBE_STRUCT(Query, (), (skip, per_page, search, list_id, from, order, unread))

struct Question {
  std::optional<parley::model::Uuid> list_id;
  std::optional<std::string> search;
  std::optional<std::int64_t> limit;
  std::optional<std::vector<parley::model::Uuid>> ids;
};
BOOST_DESCRIBE_STRUCT(Question, (), (list_id, search, limit, ids))

struct None {};
BOOST_DESCRIBE_STRUCT(None, (), ())

}  // namespace sample

namespace {

using namespace parley::http;

Router contacts() {
  Router router;
  CHECK(router.add(Method::get, "/api/contacts") == 0);
  CHECK(router.add(Method::post, "/api/contacts") == 1);
  CHECK(router.add(Method::get, "/api/contacts/{id}") == 2);
  CHECK(router.add(Method::post, "/api/contacts/{id}") == 3);
  CHECK(router.add(Method::del, "/api/contacts/{id}") == 4);
  CHECK(router.add(Method::get, "/api/contacts/count") == 5);
  CHECK(router.add(Method::post, "/api/lists/{id}/contacts/{contact}/x") == 6);
  CHECK(router.add(Method::get, "/") == 7);
  return router;
}

// "route [parameters]", or "none", or "not: allow".
std::string find(const Router& router, Method method, std::string_view path) {
  const auto match = router.match(method, path);
  if (!match.found) return match.allow.empty() ? "none" : "not: " + match.allow;
  std::string out = std::to_string(match.route);
  for (std::size_t i = 0; i < match.parameters.count; ++i) out.append(" ").append(match.parameters.values[i]);
  return out;
}

// The faults of a Problem 400 as "pointer detail" lines, "" if nothing is thrown.
template <std::invocable Work>
std::string faults_of(Work work) {
  try {
    work();
  } catch (const Problem& problem) {
    CHECK(problem.status == 400);
    std::string out;
    for (const auto& [pointer, detail] : problem.errors) out += pointer + " " + detail + "\n";
    return out.empty() ? problem.detail : out;
  }
  return "";
}

std::string faults_of(std::string_view query) {
  return faults_of([&] { read_query<sample::Query>(query); });
}

using namespace std::string_literals;

}  // namespace

TEST_CASE("Router: finds what is there, as it is written") {
  const auto router = contacts();
  CHECK(find(router, Method::get, "/api/contacts") == "0");
  CHECK(find(router, Method::post, "/api/contacts") == "1");
  CHECK(find(router, Method::get, "/api/contacts/7") == "2 7");
  CHECK(find(router, Method::del, "/api/contacts/7") == "4 7");
  CHECK(find(router, Method::get, "/api/contacts/count") == "5");
  CHECK(find(router, Method::post, "/api/lists/a/contacts/b/x") == "6 a b");
  CHECK(find(router, Method::get, "/") == "7");
  CHECK(find(router, Method::head, "/api/contacts/7") == "2 7");
  // a parameter takes what it is given
  CHECK(find(router, Method::get, "/api/contacts/..") == "2 ..");
  CHECK(find(router, Method::get, "/api/contacts/%2e%2e") == "2 %2e%2e");
  CHECK(find(router, Method::get, "/api/contacts/a%2fb") == "2 a%2fb");
  CHECK(find(router, Method::get, "/api/contacts/a;b=c") == "2 a;b=c");
  CHECK(find(router, Method::get, "/api/contacts/" + std::string(8000, 'x')) == "2 " + std::string(8000, 'x'));
}

TEST_CASE("Router: nothing else is a route") {
  const auto router = contacts();
  for (const std::string path : {"",
                                 "/api",
                                 "/api/",
                                 "/api/contacts/",
                                 "//api/contacts",
                                 "/api//contacts",
                                 "/api/./contacts",
                                 "/api/../api/contacts",
                                 "/api/%63ontacts",
                                 "/api/contacts%00",
                                 "/API/contacts",
                                 "/api/contacts/7/",
                                 "/api/contacts//",
                                 "/api/contacts/7/8",
                                 "api/contacts",
                                 "/api/contacts;x",
                                 "/api/contacts ",
                                 "/api%2fcontacts",
                                 "/api/lists//contacts//x",
                                 "//",
                                 "*",
                                 "http://h/api/contacts",
                                 "/api/{id}"}) {
    INFO(path);
    CHECK(find(router, Method::get, path) == "none");
  }
}

TEST_CASE("Router: other methods") {
  const auto router = contacts();
  CHECK(find(router, Method::del, "/api/contacts") == "not: GET, HEAD, POST");
  CHECK(find(router, Method::other, "/api/contacts/7") == "not: GET, HEAD, POST, DELETE");
  CHECK(find(router, Method::head, "/api/lists/a/contacts/b/x") == "not: POST");
  CHECK(find(router, Method::options, "/api/contacts/count") == "not: GET, HEAD");
}

TEST_CASE("Router: a path's pattern is known whatever the method") {
  const auto router = contacts();
  for (const auto method : {Method::get, Method::put, Method::other})
    CHECK(router.match(method, "/api/contacts/7").pattern == "/api/contacts/{id}");
  CHECK(router.match(Method::del, "/api/contacts").pattern == "/api/contacts");
  CHECK(router.match(Method::get, "/api/nothing").pattern == "");
}

TEST_CASE("parse_query") {
  const auto text = [](std::string_view query) {
    std::string out;
    for (const auto& [name, value] : parse_query(query)) out += name + "=" + value + "|";
    return out;
  };
  CHECK(text("") == "");
  CHECK(text("a=b&c=d") == "a=b|c=d|");
  CHECK(text("a&b=&=c&&") == "a=|b=|=c|");
  CHECK(text("a=b=c") == "a=b=c|");
  CHECK(text("a+b=c+d%2B%20e") == "a b=c d+ e|");
  CHECK(text("%C3%A9=%e2%82%ac") == "\xC3\xA9=\xE2\x82\xAC|");
  CHECK(text("a=b;c=d") == "a=b;c=d|");
  for (const std::string bad :
       {"a=%", "a=%1", "a=%zz", "a=%0", "%=1", "a=%00", "%00=1", "a=%ff", "a=%C3", "a=%ED%A0%80", "a=%C0%AF"}) {
    INFO(bad);
    CHECK(faults_of([&] { parse_query(bad); }) != "");
  }
}

TEST_CASE("append_encoded is undone by parse_query") {
  std::string all, query = "x=";
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  all += "\xC3\xA9\xF0\x9F\x98\x80";
  append_encoded(query, all);
  CHECK(parse_query(query)[0].second == all);
}

TEST_CASE("read_query: types") {
  const auto query = read_query<sample::Query>(
      "skip=-5&search=a+b&list_id=0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b&from=2026-01-31T12:00:00%2B01:00&order=desc");
  CHECK(query.skip == -5);
  CHECK(query.search == "a b");
  CHECK(query.list_id->text() == "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b");
  CHECK(query.from->text() == "2026-01-31T11:00:00.000Z");
  CHECK(query.order == Order::desc);
  CHECK_FALSE(query.per_page);
  CHECK(read_query<sample::Query>("unread=true").unread == true);
  CHECK(read_query<sample::Query>("unread=false").unread == false);
  CHECK(read_query<sample::Query>("search=").search == "");
}

TEST_CASE("append_query is undone by read_query") {
  const auto a = parley::model::new_uuid(), b = parley::model::new_uuid();
  std::string target = "/x";
  append_query(target, sample::None{});
  append_query(target, sample::Question{});
  CHECK(target == "/x");
  append_query(target, sample::Question{{}, "ä&=,?", -7, std::vector{a, b}});
  CHECK(target == "/x?search=%C3%A4%26%3D%2C%3F&limit=-7&ids=" + a.text() + "," + b.text());
  const auto read = read_query<sample::Question>(std::string_view(target).substr(3));
  CHECK_FALSE(read.list_id);
  CHECK(read.search == "ä&=,?");
  CHECK(read.limit == -7);
  CHECK(read.ids == std::vector{a, b});
  CHECK(read_query<sample::Question>("ids=").ids->empty());
  for (const auto* const wrong : {"ids=x", "ids=,"})
    CHECK(faults_of([&] { read_query<sample::Question>(wrong); }) == "?ids must be ids with commas between them\n");
}

TEST_CASE("read_query: every fault is named") {
  CHECK(faults_of("skip=abc") == "?skip must be an integer\n");
  CHECK(faults_of("skip=1e9") == "?skip must be an integer\n");
  CHECK(faults_of("skip=+1") == "?skip must be an integer\n");
  CHECK(faults_of("skip=18446744073709551616") == "?skip must be an integer\n");
  CHECK(faults_of("skip=") == "?skip must be an integer\n");
  CHECK(faults_of("skip=1&skip=1") == "?skip is given twice\n");
  CHECK(faults_of("search=a&search=b") == "?search is given twice\n");
  CHECK(faults_of("order=ASC") == "?order must be one of asc, desc\n");
  CHECK(faults_of("unread=1") == "?unread must be true or false\n");
  CHECK(faults_of("list_id=1").starts_with("?list_id must be an id"));
  CHECK(faults_of("from=2024-02-30").starts_with("?from must be a date"));
  CHECK(faults_of("serch=x&skip=y") == "?serch is not known: did you mean search?\n?skip must be an integer\n");
  CHECK(faults_of("Skip=1") == "?Skip is not known: did you mean skip?\n");
  CHECK(faults_of([] { read_query<sample::None>("x=1"); }) == "?x is not known: this takes no parameters\n");
  CHECK(read_query<sample::Query>("").skip == std::nullopt);
}

TEST_CASE("read_query: long and many unknown names make no long or broken answer") {
  std::string name;
  for (int i = 0; i < 100; ++i) name += "%C3%A9";
  for (const auto& prefix : {"", "a"}) {
    const auto found = faults_of(prefix + name + "=1");
    CHECK(found.size() < 200);
    CHECK(parley::model::to_json(found).find("\xC3\"") == std::string::npos);
    CHECK(found.find("\xA9 is not known") != std::string::npos);
  }
  std::string many;
  for (int i = 0; i < 4000; ++i) many += "&x";
  CHECK(faults_of(many).size() < 10'000);
}

TEST_CASE("read_paging") {
  using Given = std::optional<std::int64_t>;
  const auto text = [](Given skip, Given page, Given per_page, Given limit) {
    const auto paging = read_paging(skip, page, per_page, limit);
    return std::to_string(paging.skip) + " " + std::to_string(paging.per_page) + " " + std::to_string(paging.page());
  };
  const auto faults = [](Given skip, Given page, Given per_page, Given limit) {
    return faults_of([&] { read_paging(skip, page, per_page, limit); });
  };
  const Given none;
  CHECK(text(none, none, none, none) == "0 20 1");
  CHECK(text(40, none, none, none) == "40 20 3");
  CHECK(text(45, none, 10, none) == "45 10 5");
  CHECK(text(none, 3, 10, none) == "20 10 3");
  CHECK(text(none, 1, none, 100) == "0 100 1");
  const auto max = std::numeric_limits<std::int64_t>::max(), min = std::numeric_limits<std::int64_t>::min();
  for (const Given bad : {Given{0}, Given{-1}, Given{101}, Given{max}, Given{min}}) {
    CHECK(faults(none, none, bad, none).starts_with("?per_page"));
    CHECK(faults(none, none, none, bad).starts_with("?limit"));
  }
  for (const Given bad : {Given{0}, Given{-1}, Given{max}, Given{min}})
    CHECK(faults(none, bad, none, none).starts_with("?page"));
  for (const Given bad : {Given{-1}, Given{max}, Given{min}}) CHECK(faults(bad, none, none, none).starts_with("?skip"));
  CHECK(text(10'000, none, none, none) == "10000 20 501");
  CHECK(text(none, 501, none, none) == "10000 20 501");
  CHECK(faults(10'001, none, none, none) ==
        "?skip must be from 0 to 10000: further on follow the rel=\"next\" of the header Link\n");
  CHECK(faults(none, 502, none, none).starts_with("?page must be from 1 to 501: further on"));
  CHECK(faults(-1, none, none, none) == "?skip must be from 0 to 10000\n");
  CHECK(faults(1, 1, none, none).starts_with("?page"));
  CHECK(faults(none, none, 1, 2).starts_with("?limit"));
  CHECK(text(20, 2, 20, 20) == "20 20 2");
  CHECK(faults(none, max, 0, none).find("?page") != std::string::npos);
}
