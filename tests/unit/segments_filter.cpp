// Filters of segments: what is refused, and where; what becomes of them as SQL.
#include <doctest/doctest.h>

#include <boost/json/value.hpp>

#include "contacts/segments/predicate.hpp"

using namespace parley;
using namespace parley::contacts::segments;

namespace {

std::vector<std::string> faults_of(std::string_view text) {
  model::Fault fault;
  const auto json = model::parse(text, fault);
  REQUIRE_MESSAGE(json, fault.detail);
  http::Faults faults;
  read_filter(*json, "/filter", faults);
  std::vector<std::string> out;
  try {
    faults.throw_if_any();
  } catch (const http::Problem& problem) {
    CHECK_EQ(problem.status, 400);
    for (const auto& error : problem.errors) out.push_back(error.pointer);
  }
  return out;
}

using Pointers = std::vector<std::string>;

std::string nested(int depth) {
  std::string out;
  for (int i = 1; i < depth; ++i) out += R"({"type":"not","condition":)";
  out += R"({"type":"present","attribute":"a"})";
  return out + std::string(static_cast<std::size_t>(depth - 1), '}');
}

std::string repeated(const std::string& what, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += (i ? "," : "") + what;
  return out;
}

std::string sql_of(const std::string& marks, std::string_view filter, const Scope& scope) {
  const pg::Statement statement("segments.test", "SELECT 1 " + marks, pg::Lane::slow, {},
                                pg::Statement::Kind::unlisted);
  return Predicate(read_stored(filter), scope).in(statement)->sql;
}

std::string sql_of(std::string_view filter, bool is_large = false, AttributeIndexes indexes = {}) {
  return sql_of("/*segment large $7*/ /*segment each $7*/ /*segment all $7*/", filter,
                {is_large, std::chrono::sys_days{}, 0, std::move(indexes)});
}

}  // namespace

TEST_CASE("segments: good filters are read") {
  for (const auto* filter :
       {R"({"type":"text","attribute":"city","operator":"is","values":["Lima",""]})",
        R"({"type":"text","attribute":"city","operator":"startsWith","values":["L"]})",
        R"({"type":"number","attribute":"age","atLeast":18,"lessThan":1e15})",
        R"({"type":"date","attribute":"born","from":"1815-12-10","toDays":-30})",
        R"({"type":"yesNo","attribute":"vip","is":false})", R"({"type":"present","attribute":"~/\""})",
        R"({"type":"tag","tagIds":["01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04"]})",
        R"({"type":"list","listIds":["01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04"]})",
        R"({"type":"status","statuses":["Active","OptedOut"]})", R"({"type":"lastInbound"})",
        R"({"type":"lastInbound","from":"2026-01-31","toDays":0})", R"({"type":"lastCampaign","fromDays":-7})",
        R"({"type":"campaign","campaignIds":["01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04"],"did":"clicked"})",
        R"({"type":"all","conditions":[{"type":"any","conditions":[{"type":"not","condition":)"
        R"({"type":"present","attribute":"a"}}]}]})"})
    CHECK_MESSAGE(faults_of(filter).empty(), filter);
  CHECK(faults_of(nested(5)).empty());
}

TEST_CASE("segments: what is wrong with a filter is said by its place") {
  CHECK_EQ(faults_of("12"), Pointers{"/filter"});
  CHECK_EQ(faults_of("{}"), Pointers{"/filter/type"});
  CHECK_EQ(faults_of(R"({"type":"either"})"), Pointers{"/filter/type"});
  CHECK_EQ(faults_of(R"({"type":["all"]})"), Pointers{"/filter/type"});
  CHECK_EQ(faults_of(R"({"type":"all"})"), Pointers{"/filter/conditions"});
  CHECK_EQ(faults_of(R"({"type":"any","conditions":[]})"), Pointers{"/filter/conditions"});
  CHECK_EQ(faults_of(R"({"type":"not"})"), Pointers{"/filter/condition"});
  CHECK_EQ(faults_of(R"({"type":"all","conditions":[{"type":"present","attribute":"a"},{"type":"text"}]})"),
           Pointers{"/filter/conditions/1/attribute", "/filter/conditions/1/values", "/filter/conditions/1/operator"});
  CHECK_EQ(faults_of(R"({"type":"text","attribute":" ","operator":"like","values":[1]})"),
           Pointers{"/filter/values/0", "/filter/operator", "/filter/attribute"});
  CHECK_EQ(faults_of(R"({"type":"text","attribute":"a","operator":"contains","values":[""]})"),
           Pointers{"/filter/values/0"});
  CHECK_EQ(faults_of(R"({"type":"number","attribute":"a"})"), Pointers{"/filter"});
  CHECK_EQ(faults_of(R"({"type":"number","attribute":"a","atLeast":1,"moreThan":2,"atMost":1e16})"),
           Pointers{"/filter/atMost", "/filter/moreThan"});
  CHECK_EQ(faults_of(R"({"type":"number","attribute":"a","atLeast":1,"atmost":2})"), Pointers{"/filter/atmost"});
  CHECK_EQ(faults_of(R"({"type":"date","attribute":"a","from":"2026-02-30","to":"2026-1-1"})"),
           Pointers{"/filter/from", "/filter/to"});
  CHECK_EQ(faults_of(R"({"type":"date","attribute":"a","from":"2026-02-03","fromDays":40000})"),
           Pointers{"/filter/fromDays", "/filter/fromDays"});
  CHECK_EQ(faults_of(R"({"type":"yesNo","attribute":"a","is":"yes"})"), Pointers{"/filter/is"});
  CHECK_EQ(faults_of(R"({"type":"tag","tagIds":["vip"]})"), Pointers{"/filter/tagIds/0"});
  CHECK_EQ(faults_of(R"({"type":"status","statuses":[]})"), Pointers{"/filter/statuses"});
  CHECK_EQ(faults_of(R"({"type":"lastInbound","from":"2026-02-30","days":-30})"),
           Pointers{"/filter/days", "/filter/from"});
  CHECK_EQ(faults_of(R"({"type":"lastCampaign","to":"2026-02-03","toDays":40000})"),
           Pointers{"/filter/toDays", "/filter/toDays"});
  CHECK_EQ(faults_of(R"({"type":"campaign","campaignIds":[],"did":"ignored"})"),
           Pointers{"/filter/did", "/filter/campaignIds"});
  CHECK_EQ(faults_of(R"({"type":"campaign"})"), Pointers{"/filter/campaignIds", "/filter/did"});
}

TEST_CASE("segments: no filter is deeper, longer or has more values than the bounds") {
  CHECK_EQ(faults_of(nested(6)), Pointers{"/filter/condition/condition/condition/condition/condition"});
  const auto containing = [](int values) {
    return R"({"type":"all","conditions":[{"type":"text","attribute":"a","operator":"contains","values":[)" +
           repeated(R"("x")", values) +
           R"(]},{"type":"text","attribute":"b","operator":"startsWith","values":["y"]}]})";
  };
  CHECK(faults_of(containing(19)).empty());
  CHECK_EQ(faults_of(containing(20)), Pointers{"/filter/conditions/1/values"});
  const std::string present = R"({"type":"present","attribute":"a"})";
  const auto all = [&](int conditions) {
    return R"({"type":"all","conditions":[)" + repeated(present, conditions) + "]}";
  };
  CHECK(faults_of(all(49)).empty());
  CHECK_EQ(faults_of(all(50)), Pointers{"/filter/conditions/49"});
  CHECK_EQ(faults_of(all(51)), Pointers{"/filter/conditions"});
  const auto text = [](int values) {
    return R"({"type":"text","attribute":"a","operator":"is","values":[)" + repeated(R"("v")", values) + "]}";
  };
  CHECK(faults_of(text(100)).empty());
  CHECK_EQ(faults_of(text(101)), Pointers{"/filter/values"});
  CHECK_EQ(faults_of(R"({"type":"any","conditions":[)" + repeated(text(100), 6) + "]}"),
           Pointers{"/filter/conditions/5/values"});
}

TEST_CASE("segments: the tags and lists of a filter are told with their places") {
  const auto named = named_in(read_stored(R"({"type":"not","condition":{"type":"any","conditions":[
          {"type":"list","listIds":["01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f04"]},
          {"type":"tag","tagIds":["01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f05","01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f06"]}]}})"),
                              "/filter");
  REQUIRE_EQ(named.lists.size(), 1);
  CHECK_EQ(named.lists[0].pointer, "/filter/condition/conditions/0/listIds/0");
  REQUIRE_EQ(named.tags.size(), 2);
  CHECK_EQ(named.tags[1].pointer, "/filter/condition/conditions/1/tagIds/1");
}

TEST_CASE("segments: nothing that clients write is in the text of a statement") {
  const AttributeIndexes indexes{{"text place", model::new_uuid()}, {"number size", model::new_uuid()}};
  const auto sql = sql_of(R"({"type":"all","conditions":[
      {"type":"text","attribute":"Robert'); --","operator":"is","values":["Lima"]},
      {"type":"text","attribute":"town","operator":"contains","values":["100%_"]},
      {"type":"number","attribute":"age","atLeast":4711},
      {"type":"text","attribute":"place","operator":"contains","values":["100%_"]},
      {"type":"number","attribute":"size","atLeast":4711},
      {"type":"date","attribute":"born","from":"1815-12-10"},
      {"type":"status","statuses":["Blocked"]},
      {"type":"lastInbound","from":"1815-12-10"},
      {"type":"campaign","did":"read","campaignIds":["01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f05"]},
      {"type":"tag","tagIds":["01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f05"]}]})",
                          false, indexes);
  const auto index = indexes.begin()->second.text();
  for (const std::string_view word : {"Robert", "Lima", "town", "place", "size", "100", "age,", "4711", "born", "1815",
                                      "Blocked", "01949c3a", index.c_str()})
    CHECK_MESSAGE(sql.find(word) == sql.npos, word << " in " << sql);
  CHECK(sql.find("($7)[1]") != sql.npos);
  CHECK(sql.find("$@") == sql.npos);
}

TEST_CASE("segments: branches of an any are found one by one where indexes have them all") {
  const std::string tag = R"({"type":"tag","tagIds":["01949c3a-7b2e-7c41-9d3f-5a8e2b6c1f05"]})",
                    city = R"({"type":"text","attribute":"city","operator":"is","values":["Lima"]})",
                    present = R"({"type":"present","attribute":"a"})";
  const auto any = [](const std::string& a, const std::string& b) {
    return R"({"type":"any","conditions":[)" + a + "," + b + "]}";
  };
  CHECK(sql_of(any(tag, city)).find("c.id IN (SELECT m.contact_id") != std::string::npos);
  CHECK(sql_of(any(tag, city)).find("UNION ALL SELECT s1.id") != std::string::npos);
  CHECK(sql_of(any(R"({"type":"lastInbound"})", city)).find("c.id IN (SELECT m.contact_id") != std::string::npos);
  CHECK(sql_of(any(tag, present)).find("UNION") == std::string::npos);
  CHECK(sql_of(any(city, city)).find("UNION") == std::string::npos);
  CHECK(sql_of(city).starts_with("SELECT 1  "));
  CHECK(sql_of(city, true).starts_with("SELECT 1  IS TRUE"));
  CHECK(sql_of(tag, true).starts_with("SELECT 1  "));
}

TEST_CASE("segments: what an index of attributes has is found by it, and tested on the row where all rows are tested") {
  const Scope scope{
      false, std::chrono::sys_days{}, 0, {{"number age", model::new_uuid()}, {"day age", model::new_uuid()}}};
  const auto has_index = [&](const std::string& mark, std::string_view filter) {
    return sql_of("/*segment " + mark + " $7*/", filter, scope).find("attribute_value") != std::string::npos;
  };
  const std::string number = R"({"type":"number","attribute":"age","atLeast":1})",
                    other = R"({"type":"number","attribute":"Age","atLeast":1})",
                    date = R"({"type":"date","attribute":"age","fromDays":1})",
                    text = R"({"type":"text","attribute":"age","operator":"contains","values":["1"]})",
                    is = R"({"type":"text","attribute":"age","operator":"is","values":["1"]})";
  CHECK(has_index("all", number));
  CHECK(has_index("all", date));
  for (const auto& without : {other, text, is, R"({"type":"not","condition":)" + number + "}"})
    CHECK_FALSE(has_index("all", without));
  for (const auto* mark : {"each", "step"}) CHECK_FALSE(has_index(mark, number));
  const auto is_large = [&](const std::string& mark, const std::string& filter) {
    auto large = scope;
    large.is_large = true;
    return sql_of("/*segment " + mark + " $7*/", filter, large).find(" IS TRUE") != std::string::npos;
  };
  const auto both = R"({"type":"all","conditions":[)" + is + "," + number + "]}";
  CHECK(has_index("all", both));
  CHECK(is_large("large", both));
  CHECK_FALSE(is_large("large_all", both));
  CHECK(is_large("large_all", is));
  const auto any = sql_of("/*segment all $7*/", R"({"type":"any","conditions":[)" + number + "," + is + "]}", scope);
  CHECK(any.find("c.id IN (SELECT m.contact_id FROM attribute_value m") != any.npos);
}

TEST_CASE("segments: a total of what contacts did is kept for as long as they do nothing") {
  const auto spelling = [](std::string_view filter, std::int64_t activity) {
    return Predicate(read_stored(filter), {false, std::chrono::sys_days{}, activity, {}}).spelling();
  };
  const std::string last = R"({"type":"lastInbound"})",
                    nested = R"({"type":"any","conditions":[{"type":"not","condition":)" + last + "}]}",
                    other = R"({"type":"present","attribute":"a"})";
  CHECK_EQ(spelling(last, 1), spelling(last, 1));
  CHECK_NE(spelling(last, 1), spelling(last, 2));
  CHECK_NE(spelling(nested, 1), spelling(nested, 2));
  CHECK_EQ(spelling(other, 1), spelling(other, 2));
}
