// A conversation's counters are what counting its messages gives, whatever writers do, at every moment.
#include <libpq-fe.h>

#include <algorithm>
#include <random>
#include <thread>

#include "tests/integration/conversations_bed.hpp"

using namespace parley;
using namespace parley::conversations_tests;

namespace {

struct Conversations {
  Database database;
  Uuid organization = model::new_uuid();
  std::vector<Uuid> ids;
  explicit Conversations(int count) {
    for (int i = 0; i < count; ++i) ids.push_back(database.add_conversation(organization, model::new_uuid()));
  }
};

std::string counters_of(const Database& database, const Uuid& conversation) {
  return database.execute("SELECT total_messages || ' ' || unread_messages FROM conversation WHERE id = " +
                          quoted(conversation));
}

// Opens a conversation of the contact with its first message counted, unless it has an Active one, and adds further
// messages, one of another conversation, in the same statement.
std::string opening(const std::string& contact, const std::string& other, bool is_unread, std::size_t further) {
  const std::string status = is_unread ? "'Unread'" : "'Read'";
  return "WITH n AS (SELECT gen_random_uuid() AS id, gen_random_uuid() AS message_id), o AS (INSERT INTO conversation "
         "AS "
         "c (organization_id, id, contact_id, initiated_by, first_message_id, total_messages, unread_messages, "
         "last_message_at) SELECT (SELECT organization_id FROM conversation LIMIT 1), id, " +
         contact + ", 'Contact', message_id, 1, " + (is_unread ? "1" : "0") +
         ", now() FROM n ON CONFLICT (organization_id, contact_id) WHERE status = 'Active' DO UPDATE SET status = "
         "c.status RETURNING organization_id, id) INSERT INTO message (organization_id, id, conversation_id, "
         "contact_id, "
         "direction, status, message_type, data) SELECT organization_id, CASE f WHEN 0 THEN message_id ELSE "
         "gen_random_uuid() END, o.id, " +
         contact + ", 'InBound', " + status + ", 'Text', '{}'::jsonb FROM o, n, generate_series(0, " +
         std::to_string(further) +
         ") f UNION ALL SELECT organization_id, gen_random_uuid(), id, contact_id, 'InBound', 'Unread', 'Text', "
         "'{}'::jsonb "
         "FROM "
         "conversation WHERE id = " +
         other;
}

// What one writer does: random statements, some in transactions that are rolled back. Deadlocks are its own affair.
void write_at_random(const std::string& url, const std::vector<Uuid>& conversations, unsigned seed, int rounds) {
  const std::unique_ptr<PGconn, decltype(&::PQfinish)> connection(::PQconnectdb(url.c_str()), ::PQfinish);
  std::mt19937 generator(seed);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(generator); };
  const auto any = [&] { return quoted(conversations[below(conversations.size())]); };
  const auto run = [&](const std::string& sql) { ::PQclear(::PQexec(connection.get(), sql.c_str())); };
  const auto some = [&] {
    return " WHERE id IN (SELECT id FROM message ORDER BY md5(id::text || '" + std::to_string(generator()) +
           "') LIMIT " + std::to_string(1 + below(4)) + ")";
  };
  run("SET deadlock_timeout = '10ms'");
  for (int round = 0; round < rounds; ++round) {
    if (round % 3 == 0) run("BEGIN");
    const bool is_partial = round % 3 != 0 && below(3) == 0;
    if (is_partial) run("SAVEPOINT part");
    switch (below(8)) {
      case 0:
      case 1:
        run("INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, "
            "data) "
            "SELECT organization_id, gen_random_uuid(), id, contact_id, 'InBound', (ARRAY['Unread','Read'])[1 + n % "
            "2], "
            "'Text', '{}' FROM conversation, generate_series(1, " +
            std::to_string(1 + below(5)) + ") n WHERE id IN (" + any() + "," + any() +
            ") ORDER BY organization_id, id");
        break;
      case 2:
        run("UPDATE message SET status = CASE status WHEN 'Unread' THEN 'Read' ELSE 'Unread' END" + some());
        break;
      case 3:
        run("UPDATE message SET conversation_id = " + any() + some());
        break;
      case 4:
        run("DELETE FROM message" + some());
        break;
      case 5:
        run(opening("gen_random_uuid()", any(), below(2) == 0, below(3)));
        break;
      case 6:
        run(opening("(SELECT contact_id FROM conversation ORDER BY md5(id::text || '" + std::to_string(generator()) +
                        "') LIMIT 1)",
                    any(), below(2) == 0, below(3)));
        break;
      default:
        run("INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, "
            "data) "
            "SELECT organization_id, id, conversation_id, contact_id, direction, 'Unread', message_type, data FROM "
            "message" +
            some() + " ON CONFLICT (organization_id, id) DO UPDATE SET status = excluded.status");
    }
    if (is_partial && below(2) == 0) run("ROLLBACK TO part");
    if (round % 3 == 2) run(below(4) == 0 ? "ROLLBACK" : "COMMIT");
  }
  run("COMMIT");
}

}  // namespace

TEST_SUITE("integration: conversations' counters") {
  TEST_CASE("follow each kind of change to a message") {
    Conversations made(2);
    const auto& database = made.database;
    const auto a = made.ids[0], b = made.ids[1];
    CHECK(counters_of(database, a) == "0 0");
    const auto first = database.add_message(made.organization, a, "Unread", 1);
    database.add_message(made.organization, a, "Queued", 2);
    CHECK(counters_of(database, a) == "2 1");

    database.execute("UPDATE message SET status = 'Delivered' WHERE direction = 'OutBound'");
    CHECK(counters_of(database, a) == "2 1");
    database.execute("UPDATE message SET status = 'Read' WHERE direction = 'OutBound'");  // by the contact
    CHECK(counters_of(database, a) == "2 1");
    database.execute("UPDATE message SET status = 'Read' WHERE id = " + quoted(first));
    CHECK(counters_of(database, a) == "2 0");
    database.execute("UPDATE message SET status = 'Unread' WHERE id = " + quoted(first));
    CHECK(counters_of(database, a) == "2 1");

    database.execute("UPDATE message SET conversation_id = " + quoted(b) + " WHERE id = " + quoted(first));
    CHECK(counters_of(database, a) == "1 0");
    CHECK(counters_of(database, b) == "1 1");
    database.execute("DELETE FROM message WHERE id = " + quoted(first));
    CHECK(counters_of(database, b) == "0 0");
    database.execute("DELETE FROM conversation WHERE id = " + quoted(a));
    CHECK(database.number("SELECT count(*) FROM message") == 0);
    database.add_message(made.organization, b, "Unread", 3);
    database.execute("TRUNCATE message");
    CHECK(counters_of(database, b) == "0 0");
  }

  TEST_CASE("are written by nobody else, not even where the schema is not on the search path") {
    Conversations made(1);
    const auto& database = made.database;
    CHECK_THROWS_WITH(database.execute("UPDATE conversation SET total_messages = 7"),
                      doctest::Contains("follow from the messages"));
    CHECK_THROWS_WITH(
        database.execute(
            "INSERT INTO conversation (organization_id, id, contact_id, initiated_by, unread_messages) VALUES "
            "(gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'Contact', 1)"),
        doctest::Contains("follow from the messages"));
    database.execute(
        "SET LOCAL search_path = ''; INSERT INTO public.message (organization_id, id, conversation_id, contact_id, "
        "direction, status, message_type, data) SELECT organization_id, gen_random_uuid(), id, contact_id, "
        "'InBound', 'Unread', 'Text', '{}' FROM public.conversation");
    CHECK(counters_of(database, made.ids[0]) == "1 1");
  }

  TEST_CASE("may be inserted with the first message, which must be there, and as it was counted") {
    Conversations made(1);
    const auto& database = made.database;
    const auto other = quoted(made.ids[0]);
    database.execute(opening(quoted(made.organization), other, true, 2));
    CHECK(database.drifted() == 0);
    CHECK(database.number("SELECT count(*) FROM conversation WHERE total_messages = 3 AND unread_messages = 3") == 1);
    const auto conversation = model::new_uuid(), message = model::new_uuid();
    const auto insert = [&](const std::string& counters, const std::string& status, const Uuid& id) {
      database.execute(
          "WITH c AS (INSERT INTO conversation (organization_id, id, contact_id, initiated_by, first_message_id, "
          "total_messages, unread_messages, last_message_at) VALUES (" +
          quoted(made.organization) + "," + quoted(conversation) + ", gen_random_uuid(), 'Contact', " +
          quoted(message) + "," + counters +
          ")) INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, "
          "message_type, data) VALUES (" +
          quoted(made.organization) + "," + quoted(id) + "," + quoted(conversation) +
          ", gen_random_uuid(), 'InBound', '" + status + "', 'Text', '{}')");
    };
    const auto refused = doctest::Contains("follow from the messages");
    CHECK_THROWS_WITH(insert("2, 1, now()", "Unread", message), refused);
    CHECK_THROWS_WITH(insert("0, 0, NULL", "Read", message), refused);
    CHECK_THROWS_WITH(insert("1, 1, now()", "Read", message), refused);
    CHECK_THROWS_WITH(insert("1, 0, now()", "Unread", message), refused);
    CHECK_THROWS_WITH(insert("1, 1, now() - interval '1 second'", "Unread", message), refused);
    CHECK_THROWS_WITH(insert("1, 1, NULL", "Unread", message), refused);
    CHECK_THROWS_WITH(insert("1, 1, now()", "Unread", model::new_uuid()), refused);
    CHECK_THROWS_WITH(database.execute("UPDATE conversation SET first_message_id = gen_random_uuid()"), refused);

    insert("1, 1, now()", "Unread", message);
    CHECK(counters_of(database, conversation) == "1 1");
    const auto again =
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, "
        "message_type, data) SELECT organization_id, " +
        quoted(message) +
        ", id, contact_id, 'InBound', 'Unread', 'Text', '{}' FROM conversation WHERE id = " + quoted(conversation);
    database.execute("DELETE FROM message WHERE id = " + quoted(message));
    CHECK(counters_of(database, conversation) == "0 0");
    database.execute(again);
    CHECK(counters_of(database, conversation) == "1 1");
    database.execute("UPDATE message SET conversation_id = " + other + " WHERE id = " + quoted(message));
    database.execute("UPDATE message SET conversation_id = " + quoted(conversation) + " WHERE id = " + quoted(message));
    CHECK(counters_of(database, conversation) == "1 1");
    database.execute("TRUNCATE message");
    database.execute(again);
    CHECK(counters_of(database, conversation) == "1 1");
  }

  TEST_CASE("never drift under writers that insert, update, move and delete at once") {
    Conversations made(6);
    constexpr unsigned writers = 6;
    std::vector<std::thread> threads;
    std::atomic<unsigned> running = writers;
    for (unsigned i = 0; i < writers; ++i)
      threads.emplace_back([&, i] {
        write_at_random(made.database.url(), made.ids, i + 1, 200);
        --running;
      });
    std::int64_t looked = 0, drifted = 0;
    for (; running > 0; ++looked) {
      drifted += made.database.drifted();  // each look is one snapshot
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (auto& thread : threads) thread.join();
    CHECK(drifted == 0);
    CHECK(looked > 0);
    CHECK(made.database.drifted() == 0);
    CHECK(made.database.number("SELECT sum(total_messages) FROM conversation") > 0);
    CHECK(made.database.number("SELECT count(first_message_id) FROM conversation") > 0);
    CHECK(made.database.number(
              "SELECT count(*) FROM conversation WHERE unread_messages NOT BETWEEN 0 AND total_messages") == 0);
  }

  // Were the updates not in order of the keys, these would wait for each other in a circle.
  TEST_CASE("of batches that name the same conversations in different orders do not deadlock") {
    Conversations made(40);
    std::vector<std::thread> threads;
    std::atomic<int> failures = 0;
    for (unsigned i = 0; i < 4; ++i)
      threads.emplace_back([&, i] {
        std::mt19937 generator(i);
        auto order = made.ids;
        const std::unique_ptr<PGconn, decltype(&::PQfinish)> connection(::PQconnectdb(made.database.url().c_str()),
                                                                        ::PQfinish);
        for (int round = 0; round < 50; ++round) {
          std::shuffle(order.begin(), order.end(), generator);
          std::string rows;
          for (const auto& id : order)
            rows.append(rows.empty() ? "" : ",")
                .append("(" + quoted(made.organization) + ", gen_random_uuid(), " + quoted(id) + ", " + quoted(id) +
                        ", 'InBound', 'Unread', 'Text', '{}')");
          const auto sql =
              "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, "
              "message_type, data) VALUES " +
              rows;
          const std::unique_ptr<PGresult, decltype(&::PQclear)> result(::PQexec(connection.get(), sql.c_str()),
                                                                       ::PQclear);
          if (::PQresultStatus(result.get()) != PGRES_COMMAND_OK) ++failures;
        }
      });
    for (auto& thread : threads) thread.join();
    CHECK(failures.load() == 0);
    CHECK(made.database.number("SELECT count(*) FROM conversation WHERE total_messages = 200") == 40);
  }
}
