// The filters and the counts of an inbox: what awaits an answer, what campaigns opened and nobody has answered.
#include <libpq-fe.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>

#include "tests/integration/conversations_service.hpp"

using namespace parley;
using namespace parley::conversations_tests;

namespace {

constexpr auto kPath = "/api/conversations";
constexpr auto kAwaiting = "(status = 'Active' AND last_inbound_at > coalesce(answered_at, '-infinity'))";

std::string moment(int minutes) {
  return "timestamptz '2026-01-31T12:00:00Z' + interval '1 minute' * " + std::to_string(minutes);
}

// A message in a conversation, as the service writes it: an inbound one opens the service window in the same statement.
std::string writing(const std::string& conversation, const std::string& columns, const std::string& values,
                    const std::string& at, bool opens_window) {
  return std::string("WITH c AS (") +
         (opens_window ? "UPDATE conversation SET last_inbound_at = greatest(last_inbound_at, " + at +
                             ") WHERE id = " + conversation + " RETURNING organization_id, id, contact_id"
                       : "SELECT organization_id, id, contact_id FROM conversation WHERE id = " + conversation) +
         ") INSERT INTO message (organization_id, id, conversation_id, contact_id, data, created_at, " + columns +
         ") SELECT organization_id, gen_random_uuid(), id, contact_id, '{}', " + at + ", " + values + " FROM c";
}

constexpr auto kKinds = "direction, status, message_type, campaign_id, untold";
std::string inbound(const std::string& conversation, const std::string& at) {
  return writing(conversation, kKinds, "'InBound', 'Unread', 'Text', NULL, false", at, true);
}
std::string answer(const std::string& conversation, const std::string& at) {
  return writing(conversation, kKinds, "'OutBound', 'Queued', 'Text', NULL, false", at, false);
}
std::string campaign(const std::string& conversation, const std::string& at) {
  return writing(conversation, kKinds, "'OutBound', 'Queued', 'Template', gen_random_uuid(), false", at, false);
}
std::string history(const std::string& conversation, const std::string& at) {
  return writing(conversation, kKinds, "'InBound', 'Read', 'Text', NULL, true", at, false);
}
std::string system_message(const std::string& conversation, const std::string& direction, const std::string& at) {
  return writing(conversation, kKinds, "'" + direction + "', 'Read', 'System', NULL, false", at, false);
}

std::vector<std::string> ids_in(const http::Response& page) {
  std::vector<std::string> out;
  const auto json = json_of(page);
  for (const auto& each : json.at("conversations").as_array()) out.emplace_back(each.at("uniqueId").as_string());
  return out;
}

struct Inbox : Service {
  bool finds(const std::string& query, const Uuid& id) {
    const auto found = ids_in(get(kPath + ("?per_page=100&" + query)));
    return std::ranges::find(found, id.text()) != found.end();
  }
  boost::json::object counts(const std::string& query = "") {
    const auto answer = get("/api/conversations/counts" + query);
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    return json_of(answer).at("counts").as_object();
  }
  std::int64_t total(const std::string& query) {
    return json_of(get(kPath + ("?per_page=1&" + query))).at("paginationMeta").at("total").as_int64();
  }
  // Each count is the total of the list that the contract names with it.
  void check_counts() {
    for (const std::string inbound : {"", "true", "false"}) {
      CAPTURE(inbound);
      const std::string more = inbound.empty() ? "" : "&has_inbound=" + inbound;
      const auto found = counts(inbound.empty() ? "" : "?has_inbound=" + inbound);
      CHECK_EQ(found.at("active").as_int64(), total("status=Active" + more));
      CHECK_EQ(found.at("closed").as_int64(), total("status=Closed" + more));
      CHECK_EQ(found.at("unread").as_int64(), total("status=Active&unread=true" + more));
      CHECK_EQ(found.at("awaiting").as_int64(), total("status=Active&awaiting=true" + more));
      CHECK_EQ(found.at("assignedToMe").as_int64(), total("status=Active&assigned_to=" + caller.text() + more));
      CHECK_EQ(found.at("unassigned").as_int64(), total("status=Active&assigned_to=none" + more));
      CHECK_EQ(found.size(), 6);
    }
  }
  // Conversations of every kind, some in charge of the caller, with messages of every kind.
  void fill(int count) {
    database.execute(
        "INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, tombstone, "
        "assigned_member_id, created_at) SELECT " +
        quoted(organization) +
        ", gen_random_uuid(), gen_random_uuid(), (ARRAY['Contact', 'Campaign', 'Member'])[1 + n % 3], "
        "(ARRAY['Active', 'Active', 'Closed', 'Deleted'])[1 + n / 3 % 4], n / 3 % 4 = 3 AND n % 2 = 0, CASE WHEN n % 5 "
        "= 0 THEN " +
        quoted(caller) + " WHEN n % 5 = 1 THEN gen_random_uuid() END, " + moment(0) +
        " + interval '1 second' * (n / 2) FROM generate_series(1, " + std::to_string(count) + ") n");
    int share = 0;
    for (const auto& message : {inbound("ANY", "now()"), answer("ANY", "now()"), campaign("ANY", "now()"),
                                inbound("ANY", moment(5)), history("ANY", moment(6))}) {
      auto text = message;
      text.replace(
          text.find("= ANY"), 5,
          "= ANY (ARRAY(SELECT id FROM conversation WHERE md5(id::text || '" + std::to_string(++share) + "') < '6'))");
      database.execute(text);
    }
  }
};

}  // namespace

TEST_SUITE("integration: conversations, inbox") {
  TEST_CASE("a conversation awaits an answer while the contact wrote last; no campaign's message answers them") {
    Inbox inbox;
    auto& database = inbox.database;
    const auto id = database.add_conversation(inbox.organization, inbox.contact);
    const auto awaits = [&] {
      inbox.check_counts();
      CHECK_EQ(database.drifted(), 0);
      const bool found = inbox.finds("awaiting=true", id);
      CHECK_EQ(inbox.counts().at("awaiting").as_int64(), found ? 1 : 0);
      return found;
    };
    const auto write = [&](auto message, int minutes) { database.execute(message(quoted(id), moment(minutes))); };
    CHECK_FALSE(awaits());
    write(campaign, 1);
    CHECK_FALSE(awaits());
    CHECK(inbox.finds("has_inbound=false", id));
    CHECK_FALSE(inbox.finds("has_inbound=true", id));
    database.execute(system_message(quoted(id), "InBound", moment(2)));
    CHECK_FALSE(inbox.finds("has_inbound=true", id));
    CHECK_FALSE(awaits());
    write(inbound, 3);
    CHECK(awaits());
    CHECK(inbox.finds("has_inbound=true", id));
    CHECK_FALSE(inbox.finds("has_inbound=false", id));
    CHECK_EQ(inbox.post(path_of(id) + "/read", "").status, 200);
    CHECK(awaits());  // who read it has not answered
    write(campaign, 4);
    database.execute(system_message(quoted(id), "OutBound", moment(5)));
    CHECK(awaits());
    write(answer, 6);
    CHECK_FALSE(awaits());
    write(inbound, 5);  // comes late: it was written before the answer
    CHECK_FALSE(awaits());
    write(inbound, 7);
    CHECK(awaits());
    CHECK_EQ(inbox.post(path_of(id), R"({"status":"Closed"})").status, 200);
    CHECK_FALSE(awaits());
    CHECK_FALSE(inbox.finds("awaiting=true&status=Closed", id));
    CHECK_EQ(inbox.post(path_of(id), R"({"status":"Active"})").status, 200);
    CHECK(awaits());
    CHECK_EQ(inbox.remove(path_of(id)).status, 204);
    CHECK_FALSE(awaits());
  }

  TEST_CASE("what the contact writes after an answer within its second awaits another one: the channel tells no more") {
    Inbox inbox;
    const auto id = inbox.database.add_conversation(inbox.organization, inbox.contact);
    const auto write = [&](auto message, const std::string& later) {
      inbox.database.execute(message(quoted(id), moment(1) + " + interval '" + later + "'"));
      inbox.check_counts();
      CHECK_EQ(inbox.database.drifted(), 0);
      return inbox.finds("awaiting=true", id);
    };
    CHECK(write(inbound, "0"));
    CHECK_FALSE(write(answer, "50 milliseconds"));
    CHECK(write(inbound, "0"));
    CHECK_FALSE(write(answer, "70 milliseconds"));
    CHECK_FALSE(write(history, "0"));
    CHECK_FALSE(write(inbound, "-1 second"));  // written before, whenever it comes
    CHECK(write(inbound, "1 second"));
  }

  TEST_CASE("the app's history is what the contact wrote, and awaits no answer") {
    Inbox inbox;
    const auto id = inbox.database.add_conversation(inbox.organization, inbox.contact, "Closed");
    inbox.database.execute(history(quoted(id), moment(1)));
    CHECK(inbox.finds("has_inbound=true", id));
    CHECK_EQ(inbox.post(path_of(id), R"({"status":"Active"})").status, 200);
    CHECK_FALSE(inbox.finds("awaiting=true", id));
    // Moved to another conversation, as one is that comes live after its history.
    const auto other = inbox.database.add_conversation(inbox.organization, model::new_uuid());
    inbox.database.execute("UPDATE message SET untold = false, conversation_id = " + quoted(other));
    CHECK(inbox.finds("has_inbound=true", other));
    CHECK_EQ(inbox.database.drifted(), 0);
  }

  TEST_CASE("every filter, alone and with others and in each order, finds what plain SQL finds, page by page") {
    Inbox inbox;
    inbox.fill(240);
    CHECK_EQ(inbox.database.drifted(), 0);
    const auto me = inbox.caller.text();
    const std::vector<std::pair<std::string, std::string>> filters{
        {"has_inbound=true", "has_inbound"},
        {"has_inbound=false", "NOT has_inbound"},
        {"initiated_by=Contact", "initiated_by = 'Contact'"},
        {"initiated_by=Campaign", "initiated_by = 'Campaign'"},
        {"initiated_by=Member", "initiated_by = 'Member'"},
        {"awaiting=true", kAwaiting},
        {"awaiting=false", "true"},
        {"initiated_by=Campaign&has_inbound=true", "initiated_by = 'Campaign' AND has_inbound"},
        {"initiated_by=Member&awaiting=true", std::string("initiated_by = 'Member' AND ") + kAwaiting},
        {"has_inbound=false&awaiting=true", "false"},
        {"has_inbound=false&unread=true", "false"},
        {"has_inbound=true&unread=true", "unread_messages > 0"},
        {"awaiting=true&unread=true", std::string("unread_messages > 0 AND ") + kAwaiting},
        {"has_inbound=true&assigned_to=none", "has_inbound AND assigned_member_id IS NULL"},
        {"has_inbound=true&assigned_to=" + me, "has_inbound AND assigned_member_id = '" + me + "'"},
        {"initiated_by=Contact&assigned_to=" + me, "initiated_by = 'Contact' AND assigned_member_id = '" + me + "'"},
        {"awaiting=true&assigned_to=" + me, kAwaiting + (" AND assigned_member_id = '" + me + "'")},
        {"awaiting=true&assigned_to=none", std::string(kAwaiting) + " AND assigned_member_id IS NULL"},
        {"initiated_by=Campaign&assigned_to=none&unread=true",
         "initiated_by = 'Campaign' AND assigned_member_id IS NULL AND unread_messages > 0"}};
    for (const auto& [query, condition] : filters)
      for (const std::string status : {"", "Active", "Closed", "Deleted"})
        for (const std::string order : {"", "&order=asc", "&sort_by=createdAt", "&sort_by=createdAt&order=asc"}) {
          if (!status.empty() && !order.empty()) continue;
          CAPTURE(query);
          CAPTURE(status);
          CAPTURE(order);
          const std::string way = order.ends_with("asc") ? "" : " DESC";
          const std::string by =
              order.starts_with("&sort_by") ? "" : "coalesce(last_message_at, created_at)" + way + ", ";
          const auto of_status = status.empty()        ? "status <> 'Deleted'"
                                 : status == "Deleted" ? "tombstone"
                                                       : "status = '" + status + "'";
          const auto expected =
              inbox.database.execute("SELECT coalesce(string_agg(id::text, ' ' ORDER BY " + by + "id" + way +
                                     "), '') FROM conversation WHERE organization_id = " + quoted(inbox.organization) +
                                     " AND " + of_status + " AND " + condition);
          const auto target = query + order + (status.empty() ? "" : "&status=" + status);
          std::string found;
          for (const auto& id : follow(inbox, ids_in, kPath + ("?per_page=7&" + target)))
            found += (found.empty() ? "" : " ") + id;
          CHECK_EQ(found, expected);
          CHECK_EQ(inbox.total(target), expected.empty() ? 0 : (static_cast<std::int64_t>(expected.size()) + 1) / 37);
        }
  }

  TEST_CASE("the counts are the totals of the lists, of the member who asks, and of one organization") {
    Inbox inbox;
    inbox.fill(150);
    inbox.check_counts();
    const auto mine = inbox.counts().at("assignedToMe").as_int64();
    CHECK(mine > 0);
    inbox.caller = model::new_uuid();
    inbox.check_counts();
    CHECK_EQ(inbox.counts().at("assignedToMe").as_int64(), 0);
    const auto organization = std::exchange(inbox.organization, model::new_uuid());
    for (const auto& count : inbox.counts()) CHECK_EQ(count.value().as_int64(), 0);
    inbox.organization = organization;
    for (const std::string bad : {"?has_inbound=maybe", "?unread=true"})
      CHECK_EQ(inbox.get("/api/conversations/counts" + bad).status, 400);
    CHECK_EQ(pointer_of(inbox.get(std::string(kPath) + "?initiated_by=Nobody")), "?initiated_by");
    CHECK_EQ(pointer_of(inbox.get(std::string(kPath) + "?awaiting=perhaps")), "?awaiting");
    inbox.permissions.remove(identity::Permission::get_conversation);
    CHECK_EQ(inbox.get("/api/conversations/counts").status, 403);
  }

  TEST_CASE("messages, reading, assignment, closing, merges and removal at once: no tally ever drifts") {
    Inbox inbox;
    auto& database = inbox.database;
    std::vector<std::string> ids;
    for (int i = 0; i < 12; ++i)
      ids.push_back(quoted(database.add_conversation(inbox.organization, model::new_uuid())));
    constexpr unsigned writers = 6;
    std::atomic<unsigned> running = writers;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < writers; ++i)
      threads.emplace_back([&, i] {
        const std::unique_ptr<PGconn, decltype(&::PQfinish)> connection(::PQconnectdb(database.url().c_str()),
                                                                        ::PQfinish);
        std::mt19937 generator(i + 1);
        const auto below = [&](std::size_t n) {
          return std::uniform_int_distribution<std::size_t>(0, n - 1)(generator);
        };
        const auto run = [&](const std::string& sql) { ::PQclear(::PQexec(connection.get(), sql.c_str())); };
        const auto any = [&] { return ids[below(ids.size())]; };
        const auto at = [&] { return moment(static_cast<int>(below(500))); };
        run("SET deadlock_timeout = '10ms'");
        for (int round = 0; round < 150; ++round) {
          if (round % 3 == 0) run("BEGIN");
          const auto id = any();
          switch (below(10)) {
            case 0:
            case 1:
              run(inbound(id, at()));
              break;
            case 2:
              run(answer(id, at()));
              break;
            case 3:
              run(campaign(id, at()));
              break;
            case 4:
              run("UPDATE message SET status = 'Read' WHERE status = 'Unread' AND conversation_id = " + id);
              break;
            case 5:
              run("UPDATE conversation SET assigned_member_id = CASE WHEN random() < 0.5 THEN " + quoted(inbox.caller) +
                  " END WHERE id IN (" + id + ", " + any() + ")");
              break;
            case 6:
              run("UPDATE conversation SET status = CASE status WHEN 'Active' THEN 'Closed' ELSE 'Active' END, "
                  "tombstone = false WHERE id = " +
                  id);
              break;
            case 7:  // of two merged contacts' conversations the older one is closed
              run("WITH moved AS (SELECT contact_id FROM conversation WHERE id = " + any() +
                  "), closed AS (UPDATE conversation SET status = 'Closed' WHERE status = 'Active' AND contact_id IN "
                  "(SELECT contact_id FROM moved)) UPDATE conversation SET contact_id = (SELECT contact_id FROM "
                  "moved), "
                  "status = 'Closed' WHERE id = " +
                  id);
              break;
            case 8:
              run("UPDATE conversation SET status = 'Deleted', tombstone = random() < 0.5 WHERE id = " + id);
              break;
            default:
              run("INSERT INTO conversation (organization_id, id, contact_id, initiated_by, campaign_id) SELECT "
                  "organization_id, gen_random_uuid(), gen_random_uuid(), 'Campaign', gen_random_uuid() FROM "
                  "conversation WHERE id = " +
                  id);
              run("DELETE FROM conversation WHERE initiated_by = 'Campaign' AND random() < 0.2");
          }
          if (round % 3 == 2) run(below(4) == 0 ? "ROLLBACK" : "COMMIT");
        }
        --running;
      });
    std::int64_t drifted = 0;
    while (running > 0) {
      drifted += database.drifted();  // each look is one snapshot
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (auto& thread : threads) thread.join();
    CHECK_EQ(drifted, 0);
    CHECK_EQ(database.drifted(), 0);
    CHECK_GT(database.number("SELECT count(*) FROM conversation WHERE has_inbound"), 0);
    // Of the latest answer, or just before what the contact wrote within that answer's second.
    CHECK_EQ(
        database.number(
            "SELECT count(*) FROM conversation c CROSS JOIN LATERAL (SELECT max(created_at) AS at FROM message m WHERE "
            "m.conversation_id = c.id AND direction = 'OutBound' AND campaign_id IS NULL) latest WHERE c.answered_at "
            "IS "
            "DISTINCT FROM latest.at AND NOT EXISTS (SELECT FROM message m WHERE m.conversation_id = c.id AND "
            "direction "
            "= 'InBound' AND m.created_at = c.answered_at + interval '1 microsecond' AND m.created_at BETWEEN "
            "date_trunc('second', latest.at) AND latest.at)"),
        0);
    inbox.check_counts();
    CHECK_LE(database.number("SELECT max(n) FROM (SELECT count(*) AS n FROM conversation_tally GROUP BY "
                             "organization_id, member_id, status, initiated_by, has_inbound) t"),
             writers);
  }

  TEST_CASE("after the upgrade each conversation is as if its columns had always been kept, whichever release writes") {
    Database database(34);  // the release before
    const auto organization = model::new_uuid();
    database.execute(
        "INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, created_at) SELECT CASE WHEN "
        "n "
        "% 3 = 0 THEN gen_random_uuid() ELSE " +
        quoted(organization) +
        " END, gen_random_uuid(), gen_random_uuid(), 'Campaign', CASE WHEN n % 4 = 0 THEN 'Closed' "
        "ELSE 'Active' END, " +
        moment(0) + " FROM generate_series(1, 2500) n");
    int share = 0;
    for (const auto& message :
         {campaign("ANY", moment(1)), inbound("ANY", moment(2)), answer("ANY", moment(3)), inbound("ANY", moment(4)),
          history("ANY", moment(5)), system_message("ANY", "InBound", moment(6)), answer("ANY", moment(2))}) {
      auto text = message;
      text.replace(
          text.find("= ANY"), 5,
          "= ANY (ARRAY(SELECT id FROM conversation WHERE md5(id::text || '" + std::to_string(++share) + "') < '6'))");
      database.execute(text);
    }
    pg::migrate(database.url(), conversations::schema);
    const auto wrong = [&] {
      return database.number(
          "SELECT count(*) FROM conversation c CROSS JOIN LATERAL (SELECT coalesce(bool_or(direction = 'InBound' AND "
          "message_type <> 'System'), false) AS has_inbound, max(created_at) FILTER (WHERE direction = 'OutBound' AND "
          "campaign_id IS NULL AND message_type <> 'System') AS answered_at FROM message m WHERE m.organization_id = "
          "c.organization_id AND m.conversation_id = c.id) m WHERE (m.has_inbound, m.answered_at) IS DISTINCT FROM "
          "(c.has_inbound, c.answered_at)");
    };
    CHECK_EQ(wrong(), 0);
    CHECK_EQ(database.drifted(), 0);
    CHECK_GT(database.number(std::string("SELECT count(*) FROM conversation WHERE ") + kAwaiting), 0);
    CHECK_GT(database.number("SELECT count(*) FROM conversation WHERE has_inbound AND last_inbound_at IS NULL"), 0);

    // As the release before inserts it, with its first message counted.
    database.execute(
        "WITH c AS (INSERT INTO conversation (organization_id, id, contact_id, initiated_by, last_inbound_at, "
        "first_message_id, total_messages, unread_messages, last_message_at) VALUES (" +
        quoted(organization) +
        ", gen_random_uuid(), gen_random_uuid(), 'Contact', now(), gen_random_uuid(), 1, 1, now()) "
        "RETURNING *) INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, "
        "message_type, data, created_at) SELECT organization_id, first_message_id, id, contact_id, 'InBound', "
        "'Unread', "
        "'Text', '{}', last_message_at FROM c");
    CHECK_EQ(wrong(), 0);
    CHECK_EQ(database.drifted(), 0);
    database.execute("CALL fill_conversations()");  // as a migration that is run again
    CHECK_EQ(wrong(), 0);
    database.execute("TRUNCATE conversation CASCADE");
    CHECK_EQ(database.number("SELECT count(*) FROM conversation_tally"), 0);
  }
}
