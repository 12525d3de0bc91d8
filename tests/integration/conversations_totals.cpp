// Totals of GET /api/conversations: right after any change whoever makes it, and seldom counted.
#include <thread>

#include "common/pg/frames.hpp"
#include "tests/integration/conversations_service.hpp"
#include "tests/support/servers.hpp"

using namespace parley;
using namespace parley::conversations_tests;

namespace {

constexpr auto kPath = "/api/conversations";
constexpr auto kAwaiting = "status = 'Active' AND last_inbound_at > coalesce(answered_at, '-infinity')";

struct Scene : Service {
  using Service::Service;
  const Uuid member = model::new_uuid(), campaign = model::new_uuid();

  http::Response page(const std::string& query) { return get(kPath + ("?per_page=1" + query)); }
  static std::int64_t total_in(const http::Response& response) {
    REQUIRE_MESSAGE(response.status == 200, response.body);
    return json_of(response).at("paginationMeta").at("total").as_int64();
  }
  std::int64_t matching(const std::string& condition) {
    return database.number("SELECT count(*) FROM conversation WHERE organization_id = " + quoted(organization) +
                           " AND " + condition);
  }
  auto counted() const { return counts.stats().counted; }
  // Each filter's total is that of plain SQL.
  void check_all() {
    for (const auto& [query, condition] : std::vector<std::pair<std::string, std::string>>{
             {"", "status <> 'Deleted'"},
             {"&status=Active", "status = 'Active'"},
             {"&status=Closed", "status = 'Closed'"},
             {"&status=Deleted", "tombstone"},
             {"&unread=true", "status <> 'Deleted' AND unread_messages > 0"},
             {"&assigned_to=none", "status <> 'Deleted' AND assigned_member_id IS NULL"},
             {"&has_inbound=true", "status <> 'Deleted' AND has_inbound"},
             {"&has_inbound=false&status=Active", "status = 'Active' AND NOT has_inbound"},
             {"&initiated_by=Contact", "status <> 'Deleted' AND initiated_by = 'Contact'"},
             {"&initiated_by=Campaign&has_inbound=true",
              "status <> 'Deleted' AND initiated_by = 'Campaign' AND has_inbound"},
             {"&awaiting=true", kAwaiting},
             {"&awaiting=true&assigned_to=none", kAwaiting + std::string(" AND assigned_member_id IS NULL")},
             {"&awaiting=true&unread=true", kAwaiting + std::string(" AND unread_messages > 0")},
             {"&has_inbound=true&contact_id=" + contact.text(),
              "status <> 'Deleted' AND has_inbound AND contact_id = " + quoted(contact)},
             {"&assigned_to=" + member.text(), "status <> 'Deleted' AND assigned_member_id = " + quoted(member)},
             {"&campaign_id=" + campaign.text(), "status <> 'Deleted' AND campaign_id = " + quoted(campaign)},
             {"&contact_id=" + contact.text(), "status <> 'Deleted' AND contact_id = " + quoted(contact)}}) {
      CAPTURE(query);
      CHECK_EQ(total_in(page(query)), matching(condition));
    }
  }
  void change(const std::string& set, const Uuid& id) {
    database.execute("UPDATE conversation SET " + set + " WHERE id = " + quoted(id));
  }
};

}  // namespace

TEST_SUITE("integration: conversations totals") {
  TEST_CASE(
      "after each change that a filter sees, made by any statement, totals are right; after others nothing is "
      "counted") {
    const support::RedisServer redis;
    Scene scene(redis.url());
    auto& database = scene.database;
    std::vector<Uuid> ids;
    for (int i = 0; i < 6; ++i) ids.push_back(database.add_conversation(scene.organization, scene.contact, "Closed"));
    const auto message = database.add_message(scene.organization, ids[0], "Unread", 1);
    const auto other = database.add_conversation(model::new_uuid(), scene.contact, "Closed");
    scene.check_all();
    const std::vector<std::pair<const char*, std::function<void()>>> changes{
        {"another", [&] { ids.push_back(database.add_conversation(scene.organization, model::new_uuid())); }},
        {"status", [&] { scene.change("status = 'Closed'", ids.back()); }},
        {"member", [&] { scene.change("assigned_member_id = " + quoted(scene.member), ids[1]); }},
        {"campaign", [&] { scene.change("campaign_id = " + quoted(scene.campaign), ids[2]); }},
        {"contact", [&] { scene.change("contact_id = gen_random_uuid()", ids[3]); }},
        {"deleted", [&] { scene.change("status = 'Deleted'", ids[4]); }},
        {"tombstone", [&] { scene.change("tombstone = true", ids[4]); }},
        {"gone", [&] { database.execute("DELETE FROM conversation WHERE id = " + quoted(ids[5])); }},
        {"unread", [&] { database.add_message(scene.organization, ids[1], "Unread", 2); }},
        {"begun by a campaign", [&] { scene.change("initiated_by = 'Campaign'", ids[1]); }},
        {"another window", [&] { scene.change("last_inbound_at = now(), status = 'Active'", ids[2]); }},
        {"answered",
         [&] {
           database.execute(
               "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, "
               "message_type, data, created_at) SELECT organization_id, gen_random_uuid(), id, contact_id, 'OutBound', "
               "'Sent', 'Text', '{}', now() + interval '1 second' FROM conversation WHERE id = " +
               quoted(ids[2]));
         }},
        {"read", [&] { database.execute("UPDATE message SET status = 'Read' WHERE id = " + quoted(message)); }},
        {"all at once",
         [&] {
           database.execute(
               "UPDATE conversation SET assigned_member_id = NULL; UPDATE message SET "
               "status = 'Unread' WHERE status = 'Read'");
         }},
        {"rolled back to a point",
         [&] {
           Session session(database);
           session.execute("BEGIN");
           session.execute("SAVEPOINT one");
           session.execute("UPDATE conversation SET status = 'Closed', tombstone = false");
           session.execute("ROLLBACK TO one");
           session.execute("UPDATE conversation SET campaign_id = NULL");
           session.execute("COMMIT");
         }},
    };
    for (const auto& [what, change] : changes) {
      CAPTURE(what);
      change();
      scene.check_all();
    }
    const auto counted = scene.counted();
    scene.check_all();
    database.add_message(scene.organization, ids[1], "Sent", 3);
    database.add_message(scene.organization, ids[1], "Unread", 4);  // others of it are Unread
    database.execute("UPDATE conversation SET last_inbound_at = last_inbound_at + interval '1 second'");
    scene.change("status = 'Deleted'", other);  // another organization's
    scene.check_all();
    CHECK_EQ(scene.counted(), counted);
    database.add_message(scene.organization, ids[2], "Unread", 5);
    scene.page("");
    CHECK_EQ(scene.counted(), counted);
  }

  TEST_CASE("the totals of statuses are never counted, whatever happened at once") {
    Scene scene;
    scene.database.execute(
        "INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, tombstone) "
        "SELECT CASE WHEN n % 7 = 0 THEN gen_random_uuid() ELSE " +
        quoted(scene.organization) +
        " END, gen_random_uuid(), gen_random_uuid(), 'Contact', (ARRAY['Active', 'Closed', 'Deleted'])[1 + n % 3], "
        "n % 6 = 2 FROM generate_series(1, 500) n");
    Session other(scene.database);
    other.execute("BEGIN");
    other.execute("UPDATE conversation SET status = 'Closed' WHERE status = 'Active' AND id::text < '4'");
    scene.database.execute("DELETE FROM conversation WHERE id::text > 'c'");
    scene.database.execute("UPDATE conversation SET status = 'Closed', tombstone = false WHERE tombstone");
    other.execute("COMMIT");
    scene.database.execute(
        "UPDATE conversation SET status = 'Deleted', tombstone = true WHERE id::text BETWEEN '8' AND 'a'");
    for (const std::string status : {"Active", "Closed", "Deleted"})
      CHECK_EQ(Scene::total_in(scene.page("&status=" + status)),
               scene.matching("status = '" + status + "' AND (status <> 'Deleted' OR tombstone)"));
    CHECK_EQ(Scene::total_in(scene.page("")), scene.matching("status <> 'Deleted'"));
    CHECK_EQ(scene.counted(), 0);
    scene.database.execute("TRUNCATE conversation CASCADE");
    CHECK_EQ(Scene::total_in(scene.page("")), 0);
  }

  TEST_CASE("each change is in the totals once, whatever plan the planner takes and however many write at once") {
    constexpr int writers = 4, rounds = 60;
    Scene scene;
    for (int i = 0; i < 20; ++i) scene.database.add_conversation(model::new_uuid(), scene.contact);
    scene.database.execute("ANALYZE conversation_version");
    std::vector<std::thread> all;
    for (int i = 0; i < writers; ++i)
      all.emplace_back([&] {
        Session session(scene.database);
        for (const auto* statement : pg::session_statements(pg::Lane::write)) session.execute(statement->sql);
        for (int round = 0; round < rounds; ++round)
          session.execute("INSERT INTO conversation (organization_id, id, contact_id, initiated_by) VALUES (" +
                          quoted(scene.organization) + ", gen_random_uuid(), gen_random_uuid(), 'Contact')");
      });
    for (auto& each : all) each.join();
    CHECK_EQ(Scene::total_in(scene.page("")), writers * rounds);
    CHECK_LE(scene.database.number("SELECT count(*) FROM conversation_version WHERE organization_id = " +
                                   quoted(scene.organization)),
             writers);
  }

  TEST_CASE(
      "following a list by its cursors counts nothing more, and its total is told on; without a Redis it is right") {
    const support::RedisServer redis;
    for (const bool cached : {true, false})
      for (const std::string sorting : {"", "&sort_by=createdAt", "&sort_by=lastMessageAt&order=asc"}) {
        CAPTURE(cached);
        CAPTURE(sorting);
        Scene scene(cached ? redis.url() : "");
        const auto add = [&] {
          scene.change("campaign_id = " + quoted(scene.campaign),
                       scene.database.add_conversation(scene.organization, model::new_uuid(), "Closed"));
        };
        for (int i = 0; i < 5; ++i) add();
        const auto order = sorting + "&campaign_id=" + scene.campaign.text();
        auto page = scene.page(order);
        CHECK_EQ(Scene::total_in(page), 5);
        CHECK_EQ(scene.counted(), 1);
        if (cached) scene.database.execute("UPDATE conversation SET assigned_member_id = gen_random_uuid()");
        int pages = 1;
        for (auto next = next_of(page); !next.empty(); next = next_of(page), ++pages) {
          page = scene.get(next);
          CHECK_EQ(Scene::total_in(page), 5);
        }
        CHECK_GE(pages, 5);
        if (cached) CHECK_EQ(scene.counted(), 1);
        add();
        CHECK_EQ(Scene::total_in(scene.page(order)), 6);
        CHECK_EQ(Scene::total_in(scene.page(order + "&page=2")), 6);
      }
  }

  TEST_CASE("writers do not wait for each other, and each one's commit is a version of its own") {
    Scene scene;
    const auto a = scene.database.add_conversation(scene.organization, model::new_uuid(), "Closed"),
               b = scene.database.add_conversation(scene.organization, model::new_uuid(), "Closed");
    const auto version = [&] {
      return scene.database.number("SELECT coalesce(sum(changes), 0) FROM conversation_version");
    };
    const auto before = version();
    const auto assign = [&](const Uuid& id) {
      return "UPDATE conversation SET assigned_member_id = gen_random_uuid() WHERE id = " + quoted(id);
    };
    Session one(scene.database), two(scene.database);
    for (auto* session : {&one, &two}) session->execute("BEGIN");
    one.execute(assign(a));
    two.execute(assign(b));  // throws after 20 s if it waits
    for (auto* session : {&one, &two})
      session->execute("UPDATE conversation SET campaign_id = gen_random_uuid() WHERE id = " +
                       quoted(session == &one ? a : b));
    CHECK_EQ(version(), before);
    two.execute("COMMIT");
    CHECK_EQ(version(), before + 1);
    one.execute("COMMIT");
    CHECK_EQ(version(), before + 2);
    one.execute("BEGIN");
    one.execute(assign(a));
    one.execute("ROLLBACK");
    CHECK_EQ(version(), before + 2);
  }
}
