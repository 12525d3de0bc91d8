// What may be done to a campaign, and when.
#include <boost/json/serialize.hpp>
#include <map>
#include <set>

#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

const std::vector<std::string> kStatuses{"Draft", "Scheduled", "Running", "Paused", "Cancelled", "Finished"};

// What becomes of it by each command; what is not here is refused.
const std::map<std::pair<std::string, std::string>, std::string> kMoves{
    {{"Draft", "start"}, "Running"},     {{"Scheduled", "pause"}, "Paused"},     {{"Running", "pause"}, "Paused"},
    {{"Paused", "resume"}, "Running"},   {{"Scheduled", "cancel"}, "Cancelled"}, {{"Running", "cancel"}, "Cancelled"},
    {{"Paused", "cancel"}, "Cancelled"}, {{"Scheduled", "unschedule"}, "Draft"},
};

std::string detail_of(const http::Response& response) {
  return std::string(json_of(response).at("detail").as_string());
}

}  // namespace

TEST_CASE(
    "campaigns: each command does what it may in each status, and is a conflict that names the status in others") {
  Bed bed;
  for (const auto& status : kStatuses)
    for (const std::string command : {"start", "unschedule", "pause", "resume", "cancel"}) {
      CAPTURE(status);
      CAPTURE(command);
      const auto id = bed.make_as(status);
      const auto before = bed.database.execute("SELECT campaign::text FROM campaign WHERE id = " + quoted(id));
      const auto answer = bed.act(id, command);
      const auto move = kMoves.find({status, command});
      if (move == kMoves.end()) {
        CHECK_EQ(answer.status, 409);
        CHECK(detail_of(answer).find(status) != std::string::npos);
        CHECK_EQ(bed.database.execute("SELECT campaign::text FROM campaign WHERE id = " + quoted(id)), before);
        CHECK_EQ(bed.told(id), "");
        continue;
      }
      REQUIRE_MESSAGE(answer.status == 200, answer.body);
      CHECK_EQ(json_of(answer).at("campaign").at("status").as_string(), move->second);
      CHECK_EQ(bed.text(id, "status"), move->second);
      CHECK_EQ(bed.told(id), status + ">" + move->second);
      CHECK_EQ(bed.campaign(id).at("startedAt").is_null(), move->second != "Running");
      CHECK_EQ(bed.campaign(id).at("finishedAt").is_null(), move->second != "Cancelled");
      CHECK_EQ(bed.text(id, "statusReason"), command == "pause" ? "a member paused it" : "");
    }
}

TEST_CASE("campaigns: one that has begun keeps whom it is for and what they get") {
  Bed bed;
  const std::map<std::string, std::string> settled{
      {"message", R"({"type":"Text","text":"Other"})"},
      {"variants", R"([{"name":"b","share":50,"message":{"type":"Text","text":"B"}}])"},
      {"listIds", "[]"},
      {"excludedListIds", "[" + model::to_json(bed.list) + "]"},
      {"phoneNumberId", R"("999")"},
      {"scheduledAt", R"("2040-01-01T00:00:00Z")"},
      {"timezone", R"("Europe/Berlin")"},
      {"allowedLatenessSeconds", "60"}};
  for (const auto& status : kStatuses) {
    CAPTURE(status);
    const bool is_open = status == "Draft" || status == "Scheduled";
    const auto id = bed.make_as(status);
    const auto renamed = bed.change(id, R"({"name":"New","description":"d","messagesPerSecond":5})");
    CHECK_EQ(renamed.status, 200);
    CHECK_EQ(bed.text(id, "name"), "New");
    CHECK_EQ(bed.campaign(id).at("messagesPerSecond").as_int64(), 5);
    for (const auto& [field, value] : settled) {
      CAPTURE(field);
      const auto answer = bed.change(id, "{\"" + field + "\":" + value + "}");
      if (is_open) {
        const bool is_ready = status == "Draft" || (field != "listIds" && field != "phoneNumberId");
        CHECK_EQ(answer.status, is_ready ? 200 : 409);
      } else {
        CHECK_EQ(answer.status, 409);
        CHECK_EQ(pointer_of(answer), "/" + field);
        CHECK(detail_of(answer).find(status) != std::string::npos);
      }
    }
    // What it shows may always be sent back.
    const auto shown = bed.get(Bed::path(id));
    auto whole = json_of(shown).at("campaign").as_object();
    whole.erase("tags");
    CHECK_EQ(bed.change(id, boost::json::serialize(whole)).status, 200);
  }
}

TEST_CASE("campaigns: nothing starts that could not be sent") {
  Bed bed;
  SUBCASE("for nobody") {
    const auto id = bed.make(R"(,"description":"x")");
    bed.set(id, "list_ids = '{}'");
    const auto answer = bed.act(id, "start");
    CHECK_EQ(answer.status, 409);
    CHECK_EQ(pointer_of(answer), "/listIds");
  }
  SUBCASE("without an account") {
    bed.organizations.answers["/internal/accounts"] = {404, "{}"};
    const auto answer = bed.act(bed.make(), "start");
    CHECK_EQ(answer.status, 409);
    CHECK(detail_of(answer).find("connect") != std::string::npos);
  }
  SUBCASE("from another number") {
    const auto answer = bed.act(bed.make(R"(,"phoneNumberId":"124")"), "start");
    CHECK_EQ(answer.status, 409);
    CHECK_EQ(pointer_of(answer), "/phoneNumberId");
  }
  SUBCASE("with a template that the account does not have") {
    bed.know_templates({"gone"});
    const auto id = bed.make();
    CHECK_EQ(bed.change(id, R"({"message":{"type":"Template","template":{"name":"gone","language":"en"}}})").status,
             200);
    bed.know_templates({});
    const auto answer = bed.act(id, "start");
    CHECK_EQ(answer.status, 409);
    CHECK(pointer_of(answer).starts_with("/message/template"));
  }
  SUBCASE("all is there") {
    const auto id = bed.make();
    REQUIRE_EQ(bed.act(id, "start").status, 200);
    CHECK_EQ(bed.text(id, "phoneNumberId"), "123");
    CHECK_EQ(bed.database.number("SELECT count(*) FROM sender WHERE phone_number_id = '123'"), 1);
    CHECK_EQ(bed.campaign(id).at("links").as_array().at(0).at("url").as_string(), "https://shop.example/a");
    CHECK_EQ(bed.database.execute("SELECT c ->> 'first' FROM outbox o, jsonb_array_elements(o.changes) c WHERE c ->> "
                                  "'type' = 'campaign.status'"),
             "true");
  }
}

TEST_CASE("campaigns: starts and pauses that crowd each have their turn or are told that it is over") {
  Bed bed;
  const auto id = bed.make();
  std::vector<std::pair<std::string, std::string>> requests;
  for (int i = 0; i < 30; ++i)
    requests.emplace_back(Bed::path(id) + (i % 3 == 0 ? "/start" : i % 3 == 1 ? "/pause" : "/resume"), "");
  std::map<unsigned, int> answers;
  for (int round = 0; round < 3; ++round)
    for (const auto& answer : bed.post_all(requests)) ++answers[answer.status];
  CHECK_EQ(answers[200] + answers[409], 90);
  CHECK_GE(answers[200], 2);
  // What was told is one way through the statuses, as long as there were answers that did something.
  const auto told = bed.told(id);
  CHECK_EQ(bed.told(id, "campaign.status"), answers[200]);
  CHECK(told.starts_with("Draft>Running"));
  std::string status = "Draft";
  for (std::size_t at = 0; at < told.size();) {
    const auto end = std::min(told.find(' ', at), told.size());
    const auto step = told.substr(at, end - at);
    CHECK(step.starts_with(status + ">"));
    status = step.substr(step.find('>') + 1);
    at = end + 1;
  }
  CHECK_EQ(bed.text(id, "status"), status);
}

TEST_CASE("campaigns: a repeated command with its key does nothing again, and one that knows an old state is refused") {
  Bed bed;
  const auto id = bed.make();
  bed.extra = {{"Idempotency-Key", "once"}};
  const auto first = bed.act(id, "start"), again = bed.act(id, "start");
  CHECK_EQ(first.status, 200);
  CHECK_EQ(again.status, 200);
  CHECK_EQ(again.body, first.body);
  CHECK_EQ(bed.told(id), "Draft>Running");
  bed.extra = {{"If-Match", "\"old\""}};
  CHECK_EQ(bed.act(id, "pause").status, 412);
  CHECK_EQ(bed.change(id, R"({"name":"x"})").status, 412);
  CHECK_EQ(bed.text(id, "status"), "Running");
}
