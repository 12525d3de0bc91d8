// Templates of drafts.
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

std::string message(const std::string& name, const std::string& language = "en") {
  return R"({"type":"Template","template":{"name":")" + name + R"(","language":")" + language + R"("}})";
}

std::string draft(const std::string& name, const std::string& more = "") {
  return R"({"name":"c","message":)" + message(name) + more + "}";
}

}  // namespace

TEST_CASE("campaigns: a draft with a template that the account does not have is refused at once, at its place") {
  Bed bed;
  bed.know_templates({"spring"});
  const auto made = bed.post("/api/campaigns", draft("spring"));
  REQUIRE_MESSAGE(made.status == 201, made.body);
  CHECK_FALSE(conversations_tests::has(made, "Parley-Degraded"));
  const auto id = *Uuid::parse(json_of(made).at("campaign").at("uniqueId").as_string());

  const auto refused = [](const http::Response& answer, const std::string& pointer) {
    CHECK_EQ(answer.status, 400);
    CHECK_EQ(pointer_of(answer), pointer);
  };
  refused(bed.post("/api/campaigns", draft("autumn")), "/message/template/name");
  refused(bed.post("/api/campaigns", R"({"name":"c","message":)" + message("spring", "de") + "}"),
          "/message/template/language");
  const auto variants = R"("variants":[{"name":"a","share":10,"message":{"type":"Text","text":"x"}},)"
                        R"({"name":"b","share":10,"message":)" +
                        message("autumn") + "}]";
  refused(bed.post("/api/campaigns", draft("spring", "," + variants)), "/variants/1/message/template/name");
  refused(bed.change(id, R"({"message":)" + message("autumn") + "}"), "/message/template/name");
  refused(bed.change(id, "{" + variants + "}"), "/variants/1/message/template/name");
  CHECK_EQ(bed.database.number("SELECT count(*) FROM campaign"), 1);
  // A tag that would be new is not made for what is refused.
  CHECK(bed.contacts.asked("/internal/tags/resolve").empty());
  refused(bed.post("/api/campaigns", draft("autumn", R"(,"tags":["new"])")), "/message/template/name");
  CHECK(bed.contacts.asked("/internal/tags/resolve").empty());
  // It is there as soon as it is made at the channel.
  bed.know_templates({"spring", "autumn"});
  CHECK_EQ(bed.change(id, R"({"message":)" + message("autumn") + "}").status, 200);
}

TEST_CASE("campaigns: a template that goes is no obstacle to other changes of a draft, nor to a copy") {
  Bed bed;
  bed.know_templates({"spring"});
  const auto made = bed.post("/api/campaigns", draft("spring", R"(,"listIds":[)" + model::to_json(bed.list) + "]"));
  REQUIRE_EQ(made.status, 201);
  const auto id = *Uuid::parse(json_of(made).at("campaign").at("uniqueId").as_string());
  bed.know_templates({});
  CHECK_EQ(bed.change(id, R"({"name":"New"})").status, 200);
  CHECK_EQ(bed.change(id, R"({"name":"Newer","message":)" + message("spring") + "}").status, 200);
  const auto copied = bed.act(id, "duplicate");
  CHECK_EQ(copied.status, 201);
  const auto copy = *Uuid::parse(json_of(copied).at("campaign").at("uniqueId").as_string());
  const auto started = bed.act(copy, "start");
  CHECK_EQ(started.status, 409);
  CHECK_EQ(pointer_of(started), "/message/template/name");
}

TEST_CASE("campaigns: a draft is taken while its template cannot be looked up, and the answer says so") {
  Bed bed;
  SUBCASE("the channel is away") {
    bed.organizations.answers["/v20.0/1/message_templates"] = {500, "{}"};
    const auto made = bed.post("/api/campaigns", draft("spring"));
    CHECK_EQ(made.status, 201);
    CHECK(conversations_tests::has(made, "Parley-Degraded: channel"));
  }
  SUBCASE("the channel is away, and the list was asked for before") {
    bed.know_templates({"spring"});
    CHECK_EQ(bed.post("/api/campaigns", draft("spring")).status, 201);
    bed.know_templates({});
    bed.organizations.answers["/v20.0/1/message_templates"] = {500, "{}"};
    const auto known = bed.post("/api/campaigns", draft("spring"));
    CHECK_EQ(known.status, 201);
    CHECK_FALSE(conversations_tests::has(known, "Parley-Degraded"));
    const auto unknown = bed.post("/api/campaigns", draft("autumn"));
    CHECK_EQ(unknown.status, 201);
    CHECK(conversations_tests::has(unknown, "Parley-Degraded: channel"));
  }
  SUBCASE("nothing is connected") {
    bed.organizations.answers["/internal/accounts"] = {404, "{}"};
    const auto made = bed.post("/api/campaigns", draft("spring"));
    CHECK_EQ(made.status, 201);
    CHECK_FALSE(conversations_tests::has(made, "Parley-Degraded"));
  }
  SUBCASE("a text has none") {
    bed.make();
    CHECK(bed.organizations.asked("/v20.0/1/message_templates").empty());
  }
}
