// ETag, If-None-Match and If-Match, as the pipeline and chassis::Call give them to every single resource.
#include "tests/integration/change_bed.hpp"

using namespace parley;
using namespace parley::change_tests;

namespace {

struct Bed {
  Service service;
  Uuid id = service.add_thing("a");
  std::string path = "/api/things/" + id.text();

  http::Response get(std::vector<std::pair<std::string, std::string>> fields = {}, Method method = Method::get) {
    return service.send({.method = method, .target = path, .fields = std::move(fields)});
  }
  std::string tag() { return field(get(), "ETag"); }
  http::Response rename(const std::string& name, std::vector<std::pair<std::string, std::string>> fields) {
    return service.send({.target = path, .body = R"({"name":")" + name + R"("})", .fields = std::move(fields)});
  }
};

}  // namespace

TEST_SUITE("integration: change, conditions") {
  TEST_CASE("a single resource has a strong ETag, the same while it is the same") {
    Bed bed;
    const auto answer = bed.get();
    const auto tag = field(answer, "ETag");
    CHECK(tag.starts_with("\"0-"));  // the row's version, and 32 hexadecimal digits of what else is shown
    CHECK(tag.size() == 36);
    CHECK(tag.back() == '"');
    CHECK(field(answer, "Cache-Control") == "private, no-cache");
    CHECK(bed.tag() == tag);
    CHECK(field(bed.get({}, Method::head), "ETag") == tag);
    REQUIRE(bed.rename("b", {}).status == 200);
    CHECK(bed.tag() != tag);
  }

  TEST_CASE("only whole answers of 200 to a GET that may be stored have one") {
    Bed bed;
    CHECK(field(bed.rename("b", {}), "ETag").empty());
    CHECK(field(bed.service.send({}), "ETag").empty());
    CHECK(field(bed.service.send({.method = Method::get, .target = bed.path + "/secret"}), "ETag").empty());
    CHECK(field(bed.service.send({.method = Method::get, .target = "/api/things/" + Uuid{}.text()}), "ETag").empty());
    const auto tag = bed.tag();
    bed.service.degraded = true;
    const auto degraded = bed.get({{"If-None-Match", tag}});
    CHECK(degraded.status == 200);
    CHECK(field(degraded, "ETag").empty());
    CHECK_FALSE(degraded.body.empty());
  }

  TEST_CASE("If-None-Match: 304 without a body for what the caller has") {
    Bed bed;
    const auto tag = bed.tag();
    for (const auto& given : {tag, "W/" + tag, "\"x\", " + tag, "\"x\",W/\"y\" ,\t" + tag + ", \"z\"", std::string("*"),
                              std::string(",, ") + tag, std::string("\"a,b\", ") + tag}) {
      CAPTURE(given);
      for (const auto method : {Method::get, Method::head}) {
        const auto answer = bed.get({{"If-None-Match", given}}, method);
        CHECK(answer.status == 304);
        CHECK(answer.body.empty());
        CHECK(answer.content_type.empty());
        CHECK(field(answer, "ETag") == tag);
        CHECK(field(answer, "Cache-Control") == "private, no-cache");
      }
    }
    CHECK(bed.get({{"If-None-Match", "\"x\""}, {"if-none-match", tag}}).status == 304);  // a list on two lines
    const auto inner = tag.substr(1, tag.size() - 2);
    for (const auto& given : {std::string("\"x\""), inner, "\"" + inner, "w/" + tag, "\"" + inner + "x\"",
                              std::string(), "x, " + tag, "\"x\" " + tag, std::string("* x"), "'" + inner + "'"}) {
      CAPTURE(given);
      CHECK(bed.get({{"If-None-Match", given}}).status == 200);
    }
  }

  TEST_CASE("If-Match: a change is made only to what the caller has seen") {
    Bed bed;
    const auto tag = bed.tag();
    CHECK(bed.rename("b", {{"If-Match", "\"x\", " + tag}}).status == 200);
    for (const auto& given : {tag, std::string("\"x\""), std::string("nonsense"), std::string()}) {
      CAPTURE(given);
      CHECK(bed.rename("c", {{"If-Match", given}}).status == 412);
    }
    CHECK(bed.rename("c", {{"If-Match", "W/" + bed.tag()}}).status == 412);  // strong comparison: a weak tag never is
    CHECK(bed.service.name_of(bed.id) == "b");
    CHECK(bed.rename("c", {{"If-Match", "*"}}).status == 200);
    CHECK(bed.rename("d", {{"If-Match", bed.tag()}}).status == 200);
    bed.path = "/api/things/" + Uuid{}.text();
    CHECK(bed.rename("e", {{"If-Match", "*"}}).status == 404);
  }

  TEST_CASE("two changes of what both have seen: one is made") {
    Bed bed;
    const auto tag = bed.tag();
    std::vector<Ask> asks;
    for (const std::string name : {"b", "c", "d", "e"})
      asks.push_back({.target = bed.path, .body = R"({"name":")" + name + R"("})", .fields = {{"If-Match", tag}}});
    int made = 0, refused = 0;
    for (const auto& answer : bed.service.send_all(asks)) ++(answer.status == 200 ? made : refused);
    CHECK(made == 1);
    CHECK(refused == 3);
  }

  TEST_CASE("what another context knows is shown, and is not what If-Match compares") {
    Bed bed;
    const auto tag = bed.tag();
    bed.service.elsewhere = "a message came";
    CHECK(bed.get({{"If-None-Match", tag}}).status == 200);
    CHECK(bed.tag() != tag);
    CHECK(bed.rename("b", {{"If-Match", tag}}).status == 200);
    CHECK(bed.rename("c", {{"If-Match", tag}}).status == 412);
  }

  TEST_CASE("a version that another one begins with is another") {
    Bed bed;
    const auto at = [&](int version) { bed.path = "/api/things/" + bed.service.add_thing("a", version).text(); };
    at(12);
    const auto tag = bed.tag();
    for (const int version : {1, 2, 120, 121}) {
      CAPTURE(version);
      at(version);
      CHECK(bed.rename("b", {{"If-Match", tag}}).status == 412);
    }
    CHECK(bed.rename("b", {{"If-Match", "\"120\", \"121\", \"-\", \"-121-\", \"\""}}).status == 412);
    CHECK(bed.rename("b", {{"If-Match", bed.tag()}}).status == 200);
  }

  TEST_CASE("a change under a key and If-Match is repeated, though the ETag is another one by then") {
    Bed bed;
    const Ask ask{.target = bed.path, .body = R"({"name":"b"})", .key = "k", .fields = {{"If-Match", bed.tag()}}};
    const auto first = bed.service.send(ask);
    CHECK(first.status == 200);
    CHECK(bed.service.send(ask).body == first.body);
    CHECK(bed.service.send(ask).status == 200);
    CHECK(bed.service.runs == 1);
  }
}
