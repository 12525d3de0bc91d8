// GET /api/messages where few of many match: what is looked at for a page is bounded.
#include "conversations/messages/sql.hpp"
#include "tests/integration/conversations_service.hpp"
#include "tests/integration/queue_bed.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using queue_tests::within;

namespace {

namespace sql = conversations::messages::sql;
using Ids = std::vector<std::string>;

Ids ids_in(const http::Response& response) {
  Ids out;
  const auto json = json_of(response);
  for (const auto& message : json.at("messages").as_array()) out.emplace_back(message.at("uniqueId").as_string());
  return out;
}

// 45,000 messages in order, a second apart; what is rare among them are the numbers given.
struct Crowd {
  Crowd() {
    const auto id = service.database.add_conversation(service.organization, service.contact);
    service.database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data, "
        "created_at) SELECT " +
        quoted(service.organization) + ", gen_random_uuid(), " + quoted(id) + ", " + quoted(service.contact) +
        ", CASE WHEN n IN (100, 25001, 44000) THEN 'InBound' ELSE 'OutBound' END, CASE WHEN n IN (100, 25001, 44000) "
        "THEN 'Read' WHEN n = 30000 THEN 'UnDelivered' WHEN n IN (10, 20) THEN 'Failed' ELSE 'Sent' END, CASE WHEN n = "
        "7 THEN 'Sticker' WHEN n = 8 THEN 'Template' ELSE 'Text' END, '{\"text\": \"\"}', timestamptz '2026-01-01Z' + "
        "n * interval '1 second' FROM generate_series(1, 45000) n");
    service.database.execute("VACUUM ANALYZE message");
  }
  // By plain SQL, the newest first.
  Ids expected(const std::string& condition) {
    const auto text = service.database.execute(
        "SELECT coalesce(string_agg(id::text, ',' ORDER BY created_at DESC), '') FROM message WHERE " + condition);
    Ids out;
    for (std::size_t at = 0; at < text.size(); at += 37) out.push_back(text.substr(at, 36));
    return out;
  }
  // How many match on each page, until one has no Link.
  std::vector<std::size_t> pages(const std::string& query) {
    std::vector<std::size_t> out;
    for (auto target = "/api/messages?" + query; !target.empty();) {
      const auto response = service.get(target);
      out.push_back(ids_in(response).size());
      target = next_of(response);
    }
    return out;
  }

  Service service;
};

// What a statement's page costs from a message's number on, in pages of tables and indexes.
double cost_from(Crowd& crowd, const pg::Statement& statement, int number, const std::string& rest) {
  queue_tests::Session session(crowd.service.database.url());
  session.execute(
      "BEGIN; SET plan_cache_mode = force_generic_plan; PREPARE measured (uuid, uuid, int8, uuid, uuid, uuid, text, "
      "text, "
      "timestamptz, text, int8) AS " +
      statement.sql);
  const auto at = "(extract(epoch FROM timestamptz '2026-01-01Z') * 1000000 + " + std::to_string(number) +
                  " * 1000000::int8)::int8";
  return session.cost("measured", quoted(crowd.service.organization) + ", NULL, " + at + ", " + quoted(Uuid{}) +
                                      ", NULL, NULL, " + rest + ", 20");
}

constexpr double kFew = 400;  // a page of 20 is some 170

}  // namespace

TEST_SUITE("integration: conversations messages") {
  TEST_CASE("where few messages match a page looks at 20,000, and the next goes on behind them") {
    Crowd crowd;
    using Sizes = std::vector<std::size_t>;
    const auto expected = crowd.expected("direction = 'InBound'");
    CHECK(follow(crowd.service, ids_in, "/api/messages?direction=InBound") == expected);
    CHECK(follow(crowd.service, ids_in, "/api/messages?direction=InBound&order=asc") ==
          Ids(expected.rbegin(), expected.rend()));
    // The last one that is looked at for the first page matches.
    CHECK(crowd.pages("direction=InBound") == Sizes{2, 0, 1});
    CHECK(crowd.pages("direction=InBound&order=asc") == Sizes{1, 1, 1});
    CHECK(crowd.pages("direction=InBound&per_page=1") == Sizes{1, 1, 0, 1, 0});
    CHECK(crowd.pages("direction=InBound&from=2026-01-01T08:00:00Z") == Sizes{1});
    CHECK(crowd.pages("messageType=Template") == Sizes{0, 0, 1});

    const auto& walk = sql::page[{}];
    CHECK(within(cost_from(crowd, walk, 50'000, "'InBound', NULL, NULL, NULL"),
                 cost_from(crowd, walk, 20'000, "'InBound', NULL, NULL, NULL")));
    CHECK(cost_from(crowd, walk, 50'000, "NULL, NULL, NULL, NULL") < kFew);
  }

  TEST_CASE("messages of a rare type, those that failed, and those of a time are found at once") {
    Crowd crowd;
    using Sizes = std::vector<std::size_t>;
    CHECK(follow(crowd.service, ids_in, "/api/messages?status=Failed") == crowd.expected("status = 'Failed'"));
    CHECK(crowd.pages("status=Failed") == Sizes{2});
    CHECK(crowd.pages("status=UnDelivered&order=asc") == Sizes{1});
    CHECK(crowd.pages("messageType=Sticker") == Sizes{1});
    CHECK(crowd.pages("messageType=Video") == Sizes{0});
    CHECK(crowd.pages("to=2026-01-01T00:00:05Z") == Sizes{4});
    CHECK(crowd.pages("order=asc&from=2026-01-01T12:29:59Z") == Sizes{2});
    CHECK(crowd.pages("order=asc&from=2026-01-01T00:00:02Z&to=2026-01-01T00:00:05Z&per_page=2") == Sizes{2, 1});

    CHECK(cost_from(crowd, sql::page[{}], 30, "NULL, NULL, NULL, NULL") < kFew);
    CHECK(cost_from(crowd, sql::page[{.ascending = true}], 44'000, "NULL, NULL, NULL, NULL") < kFew);
    CHECK(cost_from(crowd, sql::page[{.of_failed = true}], 50'000, "NULL, 'Failed', NULL, NULL") < kFew);
    CHECK(cost_from(crowd, sql::page[{.of_rare_type = true}], 50'000, "NULL, NULL, NULL, 'Sticker'") < kFew);
  }

  TEST_CASE(
      "a message is marked as failed while its status is one of a failure, and no other status leaves the row's page") {
    Service service;
    const auto conversation = service.database.add_conversation(service.organization, service.contact);
    const auto id = service.database.add_message(service.organization, conversation, "Failed", 1);
    const auto marked = [&](const std::string& status) {
      return service.database.execute("UPDATE message SET status = '" + status + "' WHERE id = " + quoted(id) +
                                      " RETURNING failed");
    };
    CHECK(service.database.execute("SELECT failed FROM message") == "t");
    CHECK(marked("Delivered") == "f");
    CHECK(marked("UnDelivered") == "t");
    CHECK(marked("Failed") == "t");
    CHECK(marked("Sent") == "f");
    conversations_tests::Session session(service.database);  // a new one, which has updated nothing before
    CHECK(session.execute("BEGIN; UPDATE message SET status = 'Delivered'; UPDATE message SET status = 'Read'; SELECT "
                          "pg_stat_get_xact_tuples_hot_updated('message'::regclass)") == "2");
  }
}
