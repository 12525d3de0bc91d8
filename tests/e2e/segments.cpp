// Segments through the real gateway: saved, changed, used for pages and exports, and deleted.
#include <boost/json/serialize.hpp>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

// Twelve contacts with the attribute n from 0 to 11; every second one has a tag, every third one is in lists[1].
Organization& home() {
  static Organization organization = fill(world().system, "Segments", 12);
  return organization;
}

Client& client() {
  static Client the_client(world().system, home().owner.api_key);
  return the_client;
}

std::string text(const json::value& value) { return value.as_string().c_str(); }

std::vector<std::string> pointers(const Answer& answer) {
  std::vector<std::string> out;
  const auto problem = answer.json();
  for (const auto& error : problem.at("errors").as_array()) out.push_back(text(error.at("pointer")));
  return out;
}

std::string number_filter(int at_least, int less_than) {
  return R"({"type":"number","attribute":"n","atLeast":)" + std::to_string(at_least) + R"(,"lessThan":)" +
         std::to_string(less_than) + "}";
}

// Its id.
std::string make(const std::string& name, const std::string& filter) {
  const auto made = client().post("/api/segments", R"({"name":")" + name + R"(","filter":)" + filter + "}");
  REQUIRE_MESSAGE(made.status == 201, made.body);
  return text(made.json().at("segment").at("uniqueId"));
}

// The values of n of its contacts.
std::vector<std::int64_t> numbers(const std::string& query) {
  std::vector<std::int64_t> out;
  const auto answer = client().get("/api/contacts?order=asc&" + query);
  REQUIRE_EQ(answer.status, 200);
  const auto page = answer.json();
  for (const auto& contact : page.at("contacts").as_array())
    out.push_back(contact.at("attributes").at("n").to_number<std::int64_t>());
  CHECK_EQ(page.at("paginationMeta").at("total").to_number<std::int64_t>(), std::ssize(out));
  return out;
}

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("segments: one is saved, found, used, changed and deleted") {
  const auto made =
      client().post("/api/segments", R"({"name":"Some","description":"of them","filter":)" + number_filter(3, 6) + "}");
  REQUIRE_MESSAGE(made.status == 201, made.body);
  const auto segment = made.json().at("segment");
  const auto id = text(segment.at("uniqueId")), target = "/api/segments/" + id;
  CHECK_EQ(made.header("Location"), target);
  CHECK_EQ(text(segment.at("filter").at("type")), "number");
  const auto found = client().get(target);
  CHECK_EQ(found.json().at("segment"), segment);

  CHECK_EQ(numbers("segment_id=" + id), Numbers{3, 4, 5});
  CHECK_EQ(numbers("segment_id=" + id + "&list_id=" + home().lists[1]), Numbers{5});
  CHECK_EQ(numbers("segment_id=" + id + "&attributes.n=4"), Numbers{4});
  CHECK_EQ(numbers("segment_id=" + id + "&search=ada"), Numbers{});
  const auto file = client().get("/api/contacts/export?segment_id=" + id);
  CHECK_EQ(std::ranges::count(file.body, '\n'), 4);

  // Evaluated when it is used.
  CHECK_EQ(client().post("/api/contacts/" + home().contacts[4], R"({"attributes":{"n":40}})").status, 200);
  CHECK_EQ(numbers("segment_id=" + id), Numbers{3, 5});
  CHECK_EQ(client().post("/api/contacts/" + home().contacts[4], R"({"attributes":{"n":4}})").status, 200);

  const auto tag = found.header("ETag");
  CHECK_EQ(client().post(target, R"({"filter":)" + number_filter(0, 2) + "}", {{"If-Match", "\"another\""}}).status,
           412);
  const auto changed = client().post(target, R"({"filter":)" + number_filter(0, 2) + "}", {{"If-Match", tag}});
  REQUIRE_EQ(changed.status, 200);
  CHECK_EQ(text(changed.json().at("segment").at("name")), "Some");
  CHECK_EQ(numbers("segment_id=" + id), Numbers{0, 1});
  CHECK_EQ(client()("DELETE", target, "", {{"If-Match", tag}}).status, 412);
  CHECK_EQ(client()("DELETE", target).status, 204);
  CHECK_EQ(client().get(target).status, 404);
  CHECK_EQ(numbers("segment_id=" + id), Numbers{});
}

TEST_CASE("segments: tags, lists and statuses are conditions, too, in each other") {
  const auto filter = R"({"type":"all","conditions":[
      {"type":"any","conditions":[{"type":"list","listIds":[")" +
                      home().lists[1] + R"("]},{"type":"text","attribute":"n","operator":"is","values":["1","3"]}]},
      {"type":"not","condition":{"type":"tag","tagIds":[")" +
                      home().tags[2] + R"("]}}]})";
  // Of lists[1] are 2, 5, 8 and 11; tags[2] is that of 2 and 8.
  CHECK_EQ(numbers("segment_id=" + make("Nested", filter)), Numbers{1, 3, 5, 11});
  const auto counted = client().post("/api/segments/count", R"({"filter":)" + filter + "}");
  REQUIRE_EQ(counted.status, 200);
  CHECK_EQ(counted.json().at("numberOfContacts").to_number<int>(), 4);
  const auto blocked = client().post("/api/segments/count", R"({"filter":{"type":"status","statuses":["Blocked"]}})");
  CHECK_EQ(blocked.json().at("numberOfContacts").to_number<int>(), 2);

  // What a deleted tag was on is nobody's any more.
  const auto made = client().post("/api/tags", R"({"label":"for a while"})");
  const auto tag = text(made.json().at("tag").at("uniqueId"));
  const auto of_tag = make("Tagged", R"({"type":"tag","tagIds":[")" + tag + R"("]})");
  CHECK_EQ(client().post("/api/contacts/" + home().contacts[7], R"({"tags":[")" + tag + R"("]})").status, 200);
  CHECK_EQ(numbers("segment_id=" + of_tag), Numbers{7});
  CHECK_EQ(client()("DELETE", "/api/tags/" + tag).status, 204);
  CHECK_EQ(numbers("segment_id=" + of_tag), Numbers{});
}

TEST_CASE("segments: names are unique, and listed") {
  const auto id = make("Regulars", number_filter(0, 1));
  const auto again = client().post("/api/segments", R"({"name":"REGULARS","filter":)" + number_filter(0, 1) + "}");
  CHECK_EQ(again.status, 409);
  CHECK_EQ(pointers(again), std::vector<std::string>{"/name"});
  CHECK(again.body.find(id) != std::string::npos);
  const auto other = make("Irregulars", number_filter(0, 1));
  CHECK_EQ(client().post("/api/segments/" + other, R"({"name":"regulars"})").status, 409);
  CHECK_EQ(client().post("/api/segments/" + id, R"({"name":"regulars"})").status, 200);
  const auto page = client().get("/api/segments?search=REGULARS&sort_by=name&per_page=1");
  REQUIRE_EQ(page.status, 200);
  CHECK_EQ(text(page.json().at("segments").at(0).at("uniqueId")), other);
  CHECK_EQ(page.json().at("paginationMeta").at("total").to_number<int>(), 2);
  const auto next = text(page.json().at("paginationMeta").at("nextCursor"));
  const auto second = client().get("/api/segments?search=REGULARS&sort_by=name&per_page=1&cursor=" + next);
  CHECK_EQ(text(second.json().at("segments").at(0).at("uniqueId")), id);
}

TEST_CASE("segments: a filter that is wrong is refused where it is wrong") {
  const auto refused = [](const std::string& filter) {
    const auto answer = client().post("/api/segments", R"({"name":"n","filter":)" + filter + "}");
    CHECK_EQ(answer.status, 400);
    const auto counted = client().post("/api/segments/count", R"({"filter":)" + filter + "}");
    CHECK_EQ(counted.status, 400);
    CHECK_EQ(pointers(counted), pointers(answer));
    return pointers(answer);
  };
  using Pointers = std::vector<std::string>;
  CHECK_EQ(refused(R"({"type":"any","conditions":[{"type":"text","attribute":"a","operator":"is","values":[]}]})"),
           Pointers{"/filter/conditions/0/values"});
  CHECK_EQ(refused(R"({"type":"not","condition":{"type":"number","attribute":"a","atLeats":1}})"),
           Pointers{"/filter/condition/atLeats", "/filter/condition"});
  const auto foreign = fill(world().system, "Other segments", 3);
  const auto named = client().post("/api/segments", R"({"name":"n","filter":{"type":"all","conditions":[
      {"type":"tag","tagIds":[")" + foreign.tags[0] + R"("]},{"type":"list","listIds":[")" +
                                                        home().lists[0] + "\",\"" + foreign.lists[0] + "\"]}]}}");
  CHECK_EQ(named.status, 400);
  CHECK_EQ(pointers(named), Pointers{"/filter/conditions/0/tagIds/0", "/filter/conditions/1/listIds/1"});
}

TEST_CASE("segments: the attributes of contacts are listed with what they can be read as") {
  Client mine(world().system, fill(world().system, "Attributes", 3).owner.api_key);
  for (const auto* attributes :
       {R"({"since":"2026-01-31","vip":"yes"})", R"({"since":"long","vip":true,"none":null})"}) {
    static int number = 0;
    const auto phone = "+44770090098" + std::to_string(number++);
    CHECK_EQ(
        mine.post("/api/contacts", R"({"name":"A","phone":")" + phone + R"(","attributes":)" + attributes + "}").status,
        201);
  }
  const auto answer = mine.get("/api/contacts/attributes");
  REQUIRE_EQ(answer.status, 200);
  const auto told = answer.json();
  CHECK_EQ(told.at("examinedContacts").to_number<int>(), 5);
  std::vector<std::string> all;
  for (const auto& each : told.at("attributes").as_array()) all.push_back(json::serialize(each));
  const auto spelled = [](const std::string& name, int contacts, const std::string& types) {
    return R"({"name":")" + name + R"(","numberOfContacts":)" + std::to_string(contacts) + R"(,"types":)" + types + "}";
  };
  CHECK_EQ(all, std::vector<std::string>{spelled("deep", 3, R"({"text":0,"number":0,"date":0,"yesNo":0,"other":3})"),
                                         spelled("n", 3, R"({"text":0,"number":3,"date":0,"yesNo":0,"other":0})"),
                                         spelled("since", 2, R"({"text":1,"number":0,"date":1,"yesNo":0,"other":0})"),
                                         spelled("vip", 2, R"({"text":0,"number":0,"date":0,"yesNo":2,"other":0})")});
}
