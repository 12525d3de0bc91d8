// POST /api/campaigns/{id}/retarget, and what fills the lists.
#include <algorithm>

#include "tests/integration/recipients_bed.hpp"

using namespace parley;
using namespace parley::recipients_tests;
using Ordinals = std::vector<int>;

namespace {

// 1 Sent, 2 UnDelivered, 3 Delivered, 4 Read, 5 Read and replied, 6 Read and clicked, 7 and 8 Failed, 9 without a
// message, and on again.
constexpr auto kStatuses =
    "(ARRAY['Sent', 'UnDelivered', 'Delivered', 'Read', 'Read', 'Read', 'Failed', 'Failed'])[n % 9]";
constexpr auto kErrors = "CASE n % 9 WHEN 2 THEN 131049 WHEN 7 THEN 131026 END, CASE n % 9 WHEN 8 THEN 'unknown' END";

Uuid add_campaign(Bed& bed, int count) {
  const auto campaign = bed.add_campaign(count, kStatuses, kErrors);
  bed.database.execute(
      "INSERT INTO engagement (organization_id, campaign_id, message_id, replied_at, clicked_at) SELECT "
      "organization_id, campaign_id, message_id, CASE ordinal % 9 WHEN 5 THEN now() END, CASE ordinal % 9 WHEN 6 THEN "
      "now() END FROM target WHERE ordinal % 9 IN (5, 6)");
  bed.database.execute(
      "INSERT INTO campaign_url (organization_id, campaign_id, url, secret) SELECT DISTINCT organization_id, "
      "campaign_id, 'https://example.com/' || page, decode(md5('x'), 'hex') FROM target, unnest(ARRAY['a', 'b']) AS "
      "page; "
      "INSERT INTO click (organization_id, campaign_id, id, url_id, ordinal, at, preview, first) SELECT "
      "t.organization_id, "
      "t.campaign_id, gen_random_uuid(), u.id, t.ordinal, now(), t.ordinal > 9, t.ordinal < 9 FROM target t JOIN "
      "campaign_url u ON u.campaign_id = t.campaign_id AND (u.url LIKE '%a') = (t.ordinal = 6) WHERE t.ordinal % 9 = "
      "6");
  return campaign;
}

std::string criteria(const std::string& more) { return R"({"name":"Again",)" + more + "}"; }

}  // namespace

TEST_SUITE("integration: retargets") {
  TEST_CASE("a list gets those who did what was asked for") {
    Bed bed;
    const auto campaign = add_campaign(bed, 18);
    bed.contacts.sql().rows("UPDATE contact SET status = 'OptedOut' WHERE phone = '+493'");
    bed.start_worker();
    const auto list_of = [&](const std::string& who) {
      const auto begun = bed.retarget(campaign, criteria(who));
      CHECK_EQ(begun.at("contacts").as_int64(), 0);
      CHECK(begun.at("finishedAt").is_null());
      const auto done = bed.finished(begun);
      const auto members = bed.members(done);
      CHECK_EQ(done.at("contacts").as_int64(), std::ssize(members));
      CHECK_EQ(done.at("failure").as_string(), "");
      return members;
    };
    CHECK_EQ(list_of(R"("who":"NotDelivered")"), Ordinals{1, 2, 10, 11});
    CHECK_EQ(list_of(R"("who":"DeliveredNotRead")"), Ordinals{3, 12});
    CHECK_EQ(list_of(R"("who":"ReadNotReplied")"), Ordinals{4, 6, 13, 15});
    CHECK_EQ(list_of(R"("who":"Clicked")"), Ordinals{6, 15});
    CHECK_EQ(list_of(R"("who":"Clicked","url":"https://example.com/a")"), Ordinals{6});
    CHECK_EQ(list_of(R"("who":"Clicked","url":"https://example.com/b")"), Ordinals{});  // a preview was all
    CHECK_EQ(list_of(R"("who":"Failed")"), Ordinals{7, 8, 16, 17});
    CHECK_EQ(list_of(R"("who":"UnDelivered")"), Ordinals{2, 11});
    CHECK_EQ(list_of(R"("who":"Failed","reason":"131026")"), Ordinals{7, 16});
    CHECK_EQ(list_of(R"("who":"Failed","reason":"unknown")"), Ordinals{8, 17});
    CHECK_EQ(bed.contacts.drifted(), 0);
  }

  TEST_CASE("the list is there at once, as it was asked for") {
    Bed bed;
    const auto campaign = add_campaign(bed, 9);
    const auto answer = bed.post("/api/campaigns/" + campaign.text() + "/retarget",
                                 criteria(R"("description":"words","tags":["vip","new"],"who":"Failed")"), "key");
    REQUIRE_EQ(answer.status, 202);
    const auto retarget = answer.json().at("retarget");
    const std::string list(retarget.at("listId").as_string());
    CHECK(answer.has("Location: /api/campaigns/" + campaign.text() + "/retargets/" +
                     std::string(retarget.at("uniqueId").as_string()) + "\r\n"));
    CHECK_FALSE(answer.has("Parley-Degraded"));
    const auto made = bed.get("/api/lists/" + list).json().at("list");
    CHECK_EQ(made.at("name").as_string(), "Again");
    CHECK_EQ(made.at("description").as_string(), "words");
    CHECK_EQ(made.at("tags").as_array().size(), 2);

    CHECK_EQ(bed.post("/api/campaigns/" + campaign.text() + "/retarget",
                      criteria(R"("description":"words","tags":["vip","new"],"who":"Failed")"), "key")
                 .body,
             answer.body);
    CHECK_EQ(bed.database.number("SELECT count(*) FROM retarget"), 1);
    bed.start_worker();
    bed.finished(retarget);
    CHECK_EQ(bed.contacts.sql().number("SELECT count(*) FROM list"), 1);
    CHECK_EQ(bed.get("/api/lists/" + list).json().at("list").at("numberOfContacts").as_int64(), 2);
  }

  TEST_CASE("contacts away, answers lost, several at it: everybody is in the list once, and counted once") {
    Bed bed;
    const auto campaign = add_campaign(bed, 900);
    bed.contacts.sql().rows("DELETE FROM contact WHERE phone = '+497'");  // not yet heard of here
    using Fate = Bed::Fate;
    for (int i = 0; i < 40; ++i)
      bed.fates.push_back(i == 0 || i % 3 == 1 ? Fate::refuse : i % 3 == 2 ? Fate::lose_answer : Fate::serve);
    const auto answer = bed.post("/api/campaigns/" + campaign.text() + "/retarget", criteria(R"("who":"Failed")"));
    CHECK_EQ(answer.status, 202);
    CHECK(answer.has("Parley-Degraded: contacts\r\n"));
    const auto retarget = answer.json().at("retarget");
    bed.database.execute("UPDATE retarget SET lease_until = NULL");
    for (int i = 0; i < 3; ++i) bed.start_worker(20);
    const auto done = bed.finished(retarget);
    const auto members = bed.members(done);
    CHECK_EQ(members.size(), 199);
    CHECK_EQ(done.at("contacts").as_int64(), 199);
    CHECK_EQ(bed.contacts.sql().number("SELECT contacts FROM tally WHERE list_id = $1",
                                       {std::string(done.at("listId").as_string())}),
             199);
    CHECK_EQ(bed.contacts.sql().number("SELECT count(*) FROM list"), 1);
  }

  TEST_CASE("what contacts did not say of the question is asked again") {
    Bed bed;
    const auto campaign = add_campaign(bed, 9);
    using Fate = Bed::Fate;
    auto fate = Fate::serve;
    SUBCASE("it leads elsewhere") { fate = Fate::lead_away; }
    SUBCASE("it does not trust who asks, whose key is being changed") { fate = Fate::distrust; }
    bed.fates = {fate, fate, Fate::serve, fate};
    const auto answer = bed.post("/api/campaigns/" + campaign.text() + "/retarget", criteria(R"("who":"Failed")"));
    CHECK_EQ(answer.status, 202);
    CHECK(answer.has("Parley-Degraded: contacts\r\n"));
    bed.database.execute("UPDATE retarget SET lease_until = NULL");
    bed.start_worker();
    const auto done = bed.finished(answer.json().at("retarget"));
    CHECK_EQ(done.at("failure").as_string(), "");
    CHECK_EQ(bed.members(done), Ordinals{7, 8});
  }

  TEST_CASE("another goes on from where one was stopped, at any step") {
    Bed bed;
    const auto campaign = add_campaign(bed, 450);
    const auto retarget = bed.retarget(campaign, criteria(R"("who":"NotDelivered")"));
    bed.database.execute("UPDATE retarget SET lease_until = NULL");
    for (int stops = 1; stops <= 6; ++stops) {
      const auto before = bed.asked;
      bed.start_worker(10);
      bed.until([&] { return bed.asked > before; });
      bed.stop_workers();
    }
    CHECK_GT(bed.database.number("SELECT ordinal FROM retarget"), 0);
    bed.start_worker(10);
    CHECK_EQ(bed.finished(retarget).at("contacts").as_int64(), 100);
    CHECK_EQ(bed.members(retarget).size(), 100);
  }

  TEST_CASE("an organization's does not wait until all of another's are done") {
    Bed bed;
    const auto long_one = add_campaign(bed, 450);
    const auto who = criteria(R"("who":"NotDelivered")");
    const auto first = bed.retarget(long_one, who), second = bed.retarget(long_one, who);
    const auto organization = std::exchange(bed.organization, model::new_uuid());
    const auto other = bed.retarget(bed.add_campaign(9, kStatuses, kErrors), who);
    bed.database.execute("UPDATE retarget SET lease_until = NULL");
    bed.start_worker(10);
    CHECK_EQ(bed.finished(other).at("contacts").as_int64(), 2);
    CHECK_EQ(bed.database.number("SELECT count(*) FROM retarget WHERE finished_at IS NULL"), 2);
    bed.organization = organization;
    for (const auto& each : {first, second}) CHECK_EQ(bed.finished(each).at("contacts").as_int64(), 100);
  }

  TEST_CASE("a list that is deleted meanwhile ends it, and does not come back") {
    Bed bed;
    const auto campaign = add_campaign(bed, 90);
    for (const auto* when : {"before it is filled", "while it is"}) {
      CAPTURE(when);
      const auto retarget = bed.retarget(campaign, criteria(R"("who":"Failed")"));
      const std::string list(retarget.at("listId").as_string());
      if (std::string(when) == "while it is") {
        const auto before = bed.asked;
        bed.database.execute("UPDATE retarget SET lease_until = NULL");
        bed.start_worker(5);
        bed.until([&] { return bed.asked >= before + 3; });
        bed.stop_workers();
      }
      REQUIRE_EQ(bed.ask(http::Method::del, "/api/lists/" + list).status, 204);
      bed.start_worker(5);
      const auto done = bed.finished(retarget);
      CHECK_EQ(done.at("failure").as_string(), "the list was deleted");
      CHECK_EQ(bed.get("/api/lists/" + list).status, 404);
      bed.stop_workers();
    }
  }

  TEST_CASE("a campaign that is deleted meanwhile ends it; one without recipients is an empty list") {
    Bed bed;
    const auto campaign = add_campaign(bed, 9);
    bed.retarget(campaign, criteria(R"("who":"Failed")"));
    bed.database.execute("UPDATE campaign SET deleted_at = now()");
    const auto empty = bed.add_campaign(0, "NULL", "NULL::int, NULL::text", "Cancelled");
    const auto retarget = bed.retarget(empty, criteria(R"("who":"Failed")"));
    bed.start_worker();
    CHECK_EQ(bed.finished(retarget).at("contacts").as_int64(), 0);
    bed.until([&] { return bed.database.number("SELECT count(*) FROM retarget WHERE finished_at IS NULL") == 0; });
    CHECK_EQ(bed.database.execute("SELECT failure FROM retarget WHERE campaign_id = " + quoted(campaign)),
             "the campaign was deleted");
  }

  TEST_CASE("what cannot be is said, and nothing is begun") {
    Bed bed;
    const auto campaign = add_campaign(bed, 9);
    const auto path = "/api/campaigns/" + campaign.text() + "/retarget";
    CHECK_EQ(bed.post(path, R"({"who":"Failed"})").pointer(), "/name");
    CHECK_EQ(bed.post(path, R"({"name":"x"})").pointer(), "/who");
    CHECK_EQ(bed.post(path, criteria(R"("who":"Everybody")")).pointer(), "/who");
    CHECK_EQ(bed.post(path, criteria(R"("who":"Clicked","reason":"1")")).pointer(), "/reason");
    CHECK_EQ(bed.post(path, criteria(R"("who":"Failed","reason":"because")")).pointer(), "/reason");
    CHECK_EQ(bed.post(path, criteria(R"("who":"Failed","url":"https://example.com/a")")).pointer(), "/url");
    CHECK_EQ(bed.post(path, criteria(R"("who":"Clicked","url":"https://example.com/c")")).pointer(), "/url");
    CHECK_EQ(bed.post(path, criteria(R"("who":"Failed","tags":[""])")).pointer(), "/tags/0");
    const auto draft = bed.add_campaign(3, "NULL", "NULL::int, NULL::text", "Draft");
    CHECK_EQ(bed.post("/api/campaigns/" + draft.text() + "/retarget", criteria(R"("who":"Failed")")).status, 409);
    const auto unknown = "/api/campaigns/" + model::new_uuid().text();
    CHECK_EQ(bed.post(unknown + "/retarget", criteria(R"("who":"Failed")")).status, 404);
    CHECK_EQ(bed.get("/api/campaigns/" + campaign.text() + "/retargets/nonsense").status, 404);
    bed.permissions = {};
    bed.permissions.add(identity::Permission::create_list);
    const auto lacking = bed.post(path, criteria(R"("who":"Failed")"));
    CHECK_EQ(lacking.status, 403);
    CHECK_NE(lacking.body.find("Get:Campaign"), lacking.body.npos);
    bed.permissions = identity::PermissionSet::all();
    CHECK_EQ(bed.database.number("SELECT count(*) FROM retarget"), 0);
    CHECK_EQ(bed.contacts.sql().number("SELECT count(*) FROM list"), 0);

    const auto retarget = bed.retarget(campaign, criteria(R"("who":"Failed")"));
    bed.organization = model::new_uuid();
    CHECK_EQ(
        bed.get("/api/campaigns/" + campaign.text() + "/retargets/" + std::string(retarget.at("uniqueId").as_string()))
            .status,
        404);
    CHECK_EQ(bed.post(path, criteria(R"("who":"Failed")")).status, 404);
  }
}
