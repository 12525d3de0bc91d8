// What campaigns are made of, and how they are found.
#include <map>

#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

const Uuid kTag = model::new_uuid();

void know_tag(Bed& bed, const std::string& label) {
  const auto tag = R"({"label":")" + label + R"(","uniqueId":)" + model::to_json(kTag) + "}";
  bed.contacts.answers["/internal/tags/resolve"] = {200, R"({"tags":[)" + tag + "]}"};
  bed.contacts.answers["/internal/contacts/parts"] = {200, kTag.text() + " " + tag + "\n"};
}

std::string names_of(const http::Response& page) {
  std::string out;
  const auto json = json_of(page);
  for (const auto& campaign : json.at("campaigns").as_array())
    out.append(out.empty() ? "" : " ").append(std::string(campaign.at("name").as_string()));
  return out;
}

}  // namespace

TEST_CASE("campaigns: a draft shows all of its members, with their defaults") {
  Bed bed;
  const auto answer = bed.post("/api/campaigns", R"({"name":"Spring","message":{"type":"Text","text":"Hi"},"more":1})");
  REQUIRE_EQ(answer.status, 201);
  const auto campaign = json_of(answer).at("campaign");
  CHECK(conversations_tests::has(answer, "/api/campaigns/" + std::string(campaign.at("uniqueId").as_string())));
  CHECK_EQ(conversations_tests::keys_of(campaign), std::vector<std::string>{"uniqueId",
                                                                            "name",
                                                                            "description",
                                                                            "status",
                                                                            "statusReason",
                                                                            "message",
                                                                            "variants",
                                                                            "listIds",
                                                                            "excludedListIds",
                                                                            "segmentIds",
                                                                            "tags",
                                                                            "phoneNumberId",
                                                                            "scheduledAt",
                                                                            "timezone",
                                                                            "allowedLatenessSeconds",
                                                                            "messagesPerSecond",
                                                                            "createdAt",
                                                                            "updatedAt",
                                                                            "startedAt",
                                                                            "finishedAt",
                                                                            "progress",
                                                                            "links"});
  CHECK_EQ(campaign.at("status").as_string(), "Draft");
  CHECK_EQ(campaign.at("timezone").as_string(), "UTC");
  CHECK_EQ(campaign.at("allowedLatenessSeconds").as_int64(), 3'600);
  CHECK(campaign.at("phoneNumberId").is_null());
  CHECK_EQ(campaign.at("links").as_array().size(), 0);
  const auto id = *Uuid::parse(campaign.at("uniqueId").as_string());
  CHECK_EQ(json_of(bed.get(Bed::path(id))).at("campaign"), campaign);
  CHECK_EQ(bed.told(id, "campaign.described"), 1);
  CHECK_EQ(bed.get(Bed::path(model::new_uuid())).status, 404);
}

TEST_CASE("campaigns: what is wrong with a body is said with its place, and nothing is made") {
  Bed bed;
  const auto unknown = model::new_uuid();
  const std::vector<std::pair<std::string, std::string>> bodies{
      {"{}", "/name"},
      {R"({"name":"x"})", "/message"},
      {R"([])", ""},
      {R"({"name":" ","message":{"type":"Text","text":"Hi"}})", "/name"},
      {R"({"name":")" + std::string(256, 'x') + R"(","message":{"type":"Text","text":"Hi"}})", "/name"},
      {bed.body(R"(,"description":")" + std::string(2'001, 'x') + "\""), "/description"},
      {R"({"name":"x","message":{"type":"Text","text":""}})", "/message/text"},
      {R"({"name":"x","message":{"type":"Text"}})", "/message/text"},
      {R"({"name":"x","message":{"type":"Fax","text":"Hi"}})", "/message/type"},
      {R"({"name":"x","message":"Hi"})", "/message"},
      {bed.body(R"(,"variants":[{"name":"b","share":100,"message":{"type":"Text","text":"B"}}])"), "/variants/0/share"},
      {bed.body(R"(,"variants":[{"name":"b","share":5,"message":{"type":"Text","text":""}}])"),
       "/variants/0/message/text"},
      {bed.body(R"(,"excludedListIds":["x"])"), "/excludedListIds/0"},
      {bed.body(R"(,"excludedListIds":[)" + model::to_json(bed.list) + "," + model::to_json(unknown) + "]"),
       "/excludedListIds/1"},
      {R"({"name":"x","message":{"type":"Text","text":"Hi"},"listIds":[)" + model::to_json(unknown) + "]}",
       "/listIds/0"},
      {bed.body(R"(,"excludedListIds":[)" + model::to_json(bed.list) + "," + model::to_json(bed.list) + "]"),
       "/excludedListIds/1"},
      {bed.body(R"(,"tags":[" "])"), "/tags/0"},
      {bed.body(R"(,"tags":[1])"), "/tags/0"},
      {bed.body(R"(,"phoneNumberId":" ")"), "/phoneNumberId"},
      {bed.body(R"(,"scheduledAt":"tomorrow")"), "/scheduledAt"},
      {bed.body(R"(,"scheduledAt":"2026-01-31")"), "/scheduledAt"},
      {bed.body(R"(,"scheduledAt":"2026-02-30T12:00")"), "/scheduledAt"},
      {bed.body(R"(,"scheduledAt":"2026-01-31T12:00'; DROP TABLE campaign")"), "/scheduledAt"},
      {bed.body(R"(,"allowedLatenessSeconds":59)"), "/allowedLatenessSeconds"},
      {bed.body(R"(,"allowedLatenessSeconds":604801)"), "/allowedLatenessSeconds"},
      {bed.body(R"(,"messagesPerSecond":0)"), "/messagesPerSecond"},
      {bed.body(R"(,"messagesPerSecond":1.5)"), "/messagesPerSecond"},
  };
  for (const auto& [body, pointer] : bodies) {
    CAPTURE(body);
    const auto answer = bed.post("/api/campaigns", body);
    CHECK_EQ(answer.status, 400);
    CHECK_EQ(pointer_of(answer), pointer);
  }
  CHECK_EQ(bed.database.number("SELECT count(*) FROM campaign"), 0);
  const auto id = bed.make();
  for (const auto& [body, pointer] : bodies) {
    if (pointer == "/name" || pointer == "/message") continue;
    CAPTURE(body);
    CHECK_EQ(bed.change(id, body).status, 400);
  }
}

TEST_CASE("campaigns: tags are called what contacts calls them, and what they were called while it is away") {
  Bed bed;
  know_tag(bed, "vip");
  const auto id = bed.make(R"(,"tags":["vip"])");
  know_tag(bed, "very important");
  const auto label = [&] {
    const auto tags = bed.campaign(id).at("tags").as_array();
    return tags.empty() ? "" : std::string(tags.front().at("label").as_string());
  };
  CHECK_EQ(label(), "very important");
  bed.contacts.answers["/internal/contacts/parts"] = {200, ""};
  CHECK_EQ(label(), "");
  bed.contacts.answers["/internal/contacts/parts"] = {503, ""};
  const auto degraded = bed.get(Bed::path(id));
  CHECK_EQ(degraded.status, 200);
  CHECK(conversations_tests::has(degraded, "Parley-Degraded: contacts"));
  CHECK_EQ(label(), "vip");
  // Nothing that only contacts can tell is guessed.
  bed.contacts.answers["/internal/lists/known"] = {503, ""};
  CHECK_EQ(bed.post("/api/campaigns", bed.body()).status, 503);
  CHECK_EQ(bed.database.execute("SELECT c ->> 'tags' FROM outbox o, jsonb_array_elements(o.changes) c WHERE c ->> "
                                "'type' = 'campaign.described'"),
           R"([")" + kTag.text() + R"(", "vip"])");
}

TEST_CASE("campaigns: the list is searched, filtered, sorted and paged") {
  Bed bed;
  know_tag(bed, "vip");
  std::map<std::string, Uuid> ids;
  for (const std::string name : {"beta", "Alpha", "gamma", "alphabet"}) {
    ids[name] = bed.make(name == "gamma" ? R"(,"tags":["vip"])" : "");
    CHECK_EQ(bed.change(ids[name], R"({"name":")" + name + "\"}").status, 200);
  }
  const auto names = [&](const std::string& query) { return names_of(bed.get("/api/campaigns" + query)); };
  CHECK_EQ(names(""), "alphabet gamma Alpha beta");
  CHECK_EQ(names("?order=asc"), "beta Alpha gamma alphabet");
  CHECK_EQ(names("?sort_by=name"), "Alpha alphabet beta gamma");
  CHECK_EQ(names("?sort_by=name&order=desc"), "gamma beta alphabet Alpha");
  CHECK_EQ(names("?search=ALPHA"), "alphabet Alpha");
  CHECK_EQ(names("?search=%25"), "");
  CHECK_EQ(names("?tag=VIP"), "gamma");
  CHECK_EQ(names("?tag=" + kTag.text()), "gamma");
  CHECK_EQ(names("?tag=other"), "");
  CHECK_EQ(names("?list_id=" + bed.list.text()), "alphabet gamma Alpha beta");
  CHECK_EQ(names("?list_id=" + model::new_uuid().text()), "");
  bed.set(ids["beta"], "status = 'Running'");
  CHECK_EQ(names("?status=Running"), "beta");
  CHECK_EQ(bed.get("/api/campaigns?status=Walking").status, 400);
  CHECK_EQ(bed.get("/api/campaigns?state=Running").status, 400);
  for (const std::string query : {"?per_page=1", "?per_page=1&sort_by=name", "?per_page=1&sort_by=name&order=desc"}) {
    CAPTURE(query);
    std::string seen, target = "/api/campaigns" + query;
    for (int pages = 0; !target.empty() && pages < 6; ++pages) {
      const auto page = bed.get(target);
      REQUIRE_EQ(page.status, 200);
      CHECK_EQ(json_of(page).at("paginationMeta").at("total").as_int64(), 4);
      seen.append(seen.empty() || names_of(page).empty() ? "" : " ").append(names_of(page));
      const auto begin = page.head.find("Link: <");
      target = begin == std::string::npos ? "" : page.head.substr(begin + 7, page.head.find('>', begin) - begin - 7);
    }
    auto whole = query;
    whole.replace(whole.find("per_page=1"), 10, "per_page=100");
    CHECK_EQ(seen, names(whole));
  }
  CHECK_EQ(names("?per_page=2&page=2"), "Alpha beta");
}
