// Copies of campaigns.
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

Uuid copy_of(Bed& bed, const Uuid& id, const std::string& body = "") {
  const auto answer = bed.post(Bed::path(id) + "/duplicate", body);
  REQUIRE_MESSAGE(answer.status == 201, answer.body);
  const auto copy = *Uuid::parse(json_of(answer).at("campaign").at("uniqueId").as_string());
  CHECK(conversations_tests::has(answer, "Location: " + Bed::path(copy)));
  CHECK_EQ(json_of(answer).at("campaign"), bed.campaign(copy));
  return copy;
}

}  // namespace

TEST_CASE("campaigns: a copy is a draft of the same content, whatever became of the original") {
  Bed bed;
  const auto tag = model::new_uuid(), excluded = model::new_uuid();
  bed.know_lists({bed.list, excluded});
  const auto label = R"({"label":"vip","uniqueId":)" + model::to_json(tag) + "}";
  bed.contacts.answers["/internal/tags/resolve"] = {200, R"({"tags":[)" + label + "]}"};
  bed.contacts.answers["/internal/contacts/parts"] = {200, tag.text() + " " + label + "\n"};
  const auto more = R"(,"description":"d","tags":["vip"],"excludedListIds":[)" + model::to_json(excluded) +
                    R"(],"variants":[{"name":"b","share":30,"message":{"type":"Text","text":"B"}}],)"
                    R"("timezone":"Europe/Berlin","allowedLatenessSeconds":60,"messagesPerSecond":7)";
  for (const std::string status : {"Draft", "Scheduled", "Running", "Paused", "Cancelled", "Finished"}) {
    CAPTURE(status);
    const auto id = bed.make_as(status, more);
    bed.set(id, "started_at = now(), finished_at = now(), status_reason = 'x', audience_done = true");
    auto wanted = bed.campaign(id).as_object();
    const auto copy = copy_of(bed, id);
    const auto made = bed.campaign(copy).as_object();
    wanted["name"] = "Spring (copy)";
    wanted["status"] = "Draft";
    wanted["statusReason"] = "";
    for (const auto* is_new : {"uniqueId", "createdAt", "updatedAt"}) wanted[is_new] = made.at(is_new);
    for (const auto* none : {"scheduledAt", "startedAt", "finishedAt"}) wanted[none] = nullptr;
    wanted["progress"] = made.at("progress");
    CHECK_EQ(made, wanted);
    CHECK_EQ(bed.text(id, "status"), status);
    CHECK_EQ(bed.told(copy, "campaign.described"), 1);
    CHECK_EQ(bed.told(copy), "");
    REQUIRE_EQ(bed.act(copy, "start").status, 200);
  }
}

TEST_CASE("campaigns: a copy has the name that it is given, or one made of the original's within the bounds") {
  Bed bed;
  const auto id = bed.make();
  CHECK_EQ(bed.text(copy_of(bed, id, R"({"name":"Summer"})"), "name"), "Summer");
  const auto copy = copy_of(bed, id, "{}");
  CHECK_EQ(bed.text(copy_of(bed, copy), "name"), "Spring (copy) (copy)");
  std::string longest;
  for (int i = 0; i < 255; ++i) longest += "ß";
  REQUIRE_EQ(bed.change(id, R"({"name":")" + longest + "\"}").status, 200);
  CHECK_EQ(bed.text(copy_of(bed, id), "name"), longest.substr(0, 2 * (255 - 7)) + " (copy)");
  for (const auto* body : {R"({"name":""})", R"({"name":7})", R"({"name":null})"}) {
    const auto answer = bed.post(Bed::path(id) + "/duplicate", body);
    CHECK_EQ(answer.status, 400);
    CHECK_EQ(pointer_of(answer), "/name");
  }
}

TEST_CASE("campaigns: a copy is without lists and tags that are gone, and without a number that nobody chose") {
  Bed bed;
  const auto gone = model::new_uuid(), tag = model::new_uuid();
  const auto label = R"({"label":"vip","uniqueId":)" + model::to_json(tag) + "}";
  bed.contacts.answers["/internal/tags/resolve"] = {200, R"({"tags":[)" + label + "]}"};
  bed.know_lists({bed.list, gone});
  const auto id = bed.make(R"(,"tags":["vip"],"excludedListIds":[)" + model::to_json(gone) + "]");
  REQUIRE_EQ(bed.act(id, "start").status, 200);
  CHECK_EQ(bed.text(id, "phoneNumberId"), "123");
  bed.know_lists({bed.list});
  bed.contacts.answers["/internal/contacts/parts"] = {200, ""};
  const auto copy = bed.campaign(copy_of(bed, id));
  CHECK_EQ(copy.at("listIds").as_array().size(), 1);
  CHECK(copy.at("excludedListIds").as_array().empty());
  CHECK(copy.at("tags").as_array().empty());
  CHECK(copy.at("phoneNumberId").is_null());

  bed.know_lists({});
  const auto for_nobody = copy_of(bed, id);
  CHECK(bed.campaign(for_nobody).at("listIds").as_array().empty());
  CHECK_EQ(bed.act(for_nobody, "start").status, 409);
  // While it is not known which are gone, nothing is copied.
  bed.contacts.answers["/internal/lists/known"] = {503, "{}"};
  CHECK_EQ(bed.post(Bed::path(id) + "/duplicate", "").status, 503);
  CHECK_EQ(bed.database.number("SELECT count(*) FROM campaign"), 3);
}

TEST_CASE("campaigns: a repeated copy with its key is one copy, and nobody copies what is not theirs") {
  Bed bed;
  const auto id = bed.make();
  bed.extra = {{"Idempotency-Key", "once"}};
  const auto first = bed.act(id, "duplicate"), again = bed.act(id, "duplicate");
  CHECK_EQ(first.status, 201);
  CHECK_EQ(again.body, first.body);
  CHECK_EQ(bed.database.number("SELECT count(*) FROM campaign"), 2);
  bed.extra.clear();
  bed.set(id, "organization_id = gen_random_uuid()");
  CHECK_EQ(bed.act(id, "duplicate").status, 404);
  CHECK_EQ(bed.act(id, "unschedule").status, 404);
}
