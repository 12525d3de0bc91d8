// How many a campaign would be for.
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

const std::string kCount = "/internal/contacts/audience/count";

http::Response count(Bed& bed, const Uuid& id) { return bed.get(Bed::path(id) + "/audience"); }

std::string detail_of(const http::Response& response) {
  return std::string(json_of(response).at("detail").as_string());
}

}  // namespace

TEST_CASE("campaigns: contacts counts who is alike, and the campaign says who of them gets no message") {
  Bed bed;
  bed.know_templates({"t"});
  const auto message = R"({"type":"Template","template":{"name":"t","language":"en","parameters":{"1":"{{city}}"}}})";
  const auto id = bed.make();
  REQUIRE_EQ(bed.change(id, R"({"message":)" + std::string(message) + "}").status, 200);
  bed.contacts.answers[kCount] = {
      200, R"({"groups":[{"status":"Active","hasAddress":true,"draw":0,"values":[1],"contacts":100},)"
           R"({"status":"Active","hasAddress":true,"draw":0,"values":[0],"contacts":20},)"
           R"({"status":"Active","hasAddress":false,"draw":0,"values":[1],"contacts":3},)"
           R"({"status":"OptedOut","hasAddress":false,"draw":0,"values":[0],"contacts":4},)"
           R"({"status":"Blocked","hasAddress":true,"draw":0,"values":[1],"contacts":5},)"
           R"({"status":"Inactive","hasAddress":true,"draw":0,"values":[2],"contacts":6}],"isWhole":true})"};
  const auto answer = count(bed, id);
  REQUIRE_MESSAGE(answer.status == 200, answer.body);
  CHECK_EQ(answer.body, R"({"audience":{"recipients":138,"messages":100,"skipped":{"total":38,"byReason":)"
                        R"({"OptedOut":4,"Blocked":5,"Inactive":6,"Invalid":3,"MissingValue":20}}}})");
  http::Response sent;
  sent.body = bed.contacts.bodies.back();
  const auto asked = json_of(sent);
  CHECK_EQ(asked.at("organizationId").as_string(), bed.organization.text());
  CHECK_EQ(asked.at("listIds").as_array().at(0).as_string(), bed.list.text());
  CHECK_EQ(asked.at("variables").as_array().at(0).as_string(), "city");
  CHECK_EQ(asked.at("wholeOctets").as_int64(), 256);
}

TEST_CASE("campaigns: an audience is counted until the campaign begins") {
  Bed bed;
  bed.contacts.answers[kCount] = {200, R"({"groups":[],"isWhole":true})"};
  for (const std::string status : {"Draft", "Scheduled", "Paused"}) {
    CAPTURE(status);
    CHECK_EQ(count(bed, bed.make_as(status)).status, 200);
  }
  const auto resumed = bed.make_as("Paused");
  bed.set(resumed, "started_at = now()");
  const auto begun = count(bed, resumed);
  CHECK_EQ(begun.status, 409);
  CHECK_EQ(detail_of(begun), "the campaign is Paused: its recipients are counted in its progress");
  for (const std::string status : {"Running", "Cancelled", "Finished"}) {
    CAPTURE(status);
    CHECK_EQ(count(bed, bed.make_as(status)).status, 409);
  }
  CHECK_EQ(count(bed, model::new_uuid()).status, 404);
}

TEST_CASE("campaigns: an audience that cannot be counted is not guessed") {
  Bed bed;
  const auto id = bed.make();
  bed.contacts.answers[kCount] = {503, "{}"};
  CHECK_EQ(count(bed, id).status, 503);
  bed.contacts.answers[kCount] = {200, R"({"groups":[],"isWhole":false})"};
  const auto many = count(bed, id);
  CHECK_EQ(many.status, 409);
  CHECK(detail_of(many).find("fallback") != std::string::npos);
  // For nobody, nobody is asked.
  bed.set(id, "list_ids = '{}'");
  const auto before = bed.contacts.asked(kCount).size();
  const auto nobody = count(bed, id);
  CHECK_EQ(nobody.status, 200);
  CHECK_EQ(json_of(nobody).at("audience").at("recipients").as_int64(), 0);
  CHECK_EQ(bed.contacts.asked(kCount).size(), before);
}
