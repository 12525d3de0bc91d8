// What operators' commands do to a database.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <functional>
#include <thread>

#include "common/chassis/parked.hpp"
#include "common/events/inbox/sql.hpp"
#include "conversations/events/subscriptions/sql.hpp"
#include "conversations/inbox/webhooks/sql.hpp"
#include "organizations/commands.hpp"
#include "organizations/schema.hpp"
#include "tests/integration/conversations_bed.hpp"
#include "tests/support/sql.hpp"

using namespace parley;

namespace {

using AddCommands = std::function<void(CLI::App&)>;

// Until its last thing, which is how a command ends.
void run(const AddCommands& add, const std::string& url, const std::string& arguments) {
  CLI::App app;
  add(app);
  ::setenv("PARLEY_DATABASE_URL", url.c_str(), 1);
  CHECK_THROWS_AS(app.parse(arguments), CLI::RuntimeError);
  ::unsetenv("PARLEY_DATABASE_URL");
}

void add_parked(CLI::App& app) {
  namespace sql = conversations::subscriptions::sql;
  chassis::add_parked_commands(
      app, {{"webhooks", "", conversations::webhooks::sql::list_parked, conversations::webhooks::sql::replay},
            {"events", "", events::inbox::list_parked, events::inbox::replay_parked},
            {"deliveries", "", sql::list_failed, sql::replay_failed}});
}

}  // namespace

TEST_CASE("operators: of several kinds it is said what is to be tried again, and many are taken step by step") {
  const conversations_tests::Database database;
  database.execute(
      "INSERT INTO webhook_delivery (organization_id, webhook_id, id, notice_id, state, due_at) SELECT "
      "gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'Failed', NULL FROM "
      "generate_series(1, 2500); INSERT INTO parked_event (producer, epoch, position, changes, error) SELECT "
      "'contacts', gen_random_uuid(), n, '[]', 'bad' FROM generate_series(1, 3) n");
  CLI::App app;
  add_parked(app);
  CHECK_THROWS_AS(app.parse("replay-parked"), CLI::RequiredError);
  const auto due = [&](const std::string& table) {
    return database.number("SELECT count(*) FROM " + table + " WHERE due_at IS NOT NULL");
  };
  run(add_parked, database.url(), "replay-parked --id contacts/2");
  CHECK_EQ(due("parked_event"), 1);
  CHECK_EQ(due("webhook_delivery"), 0);
  run(add_parked, database.url(), "replay-parked --kind deliveries");
  CHECK_EQ(due("parked_event"), 1);
  CHECK_EQ(due("webhook_delivery"), 2'500);
  CHECK_EQ(database.number("SELECT count(DISTINCT due_at) FROM webhook_delivery"), 3);  // a transaction each
  CHECK_EQ(database.number("SELECT count(*) FROM webhook_delivery WHERE state <> 'Pending'"), 0);
}

TEST_CASE("operators: after a restore all are signed out, however many, once who uses sessions lets go of them") {
  auto& server = pg_tests::shared_server();
  server.execute("CREATE DATABASE operators");
  server.execute("ALTER DATABASE operators SET lock_timeout = '200ms'");
  const auto url = server.url("postgres", "operators");
  pg::migrate(url, organizations::schema);
  support::Sql sql(url);
  sql.rows(
      "INSERT INTO person (id, name, email) VALUES (gen_random_uuid(), 'Ada', 'ada@example.com'); INSERT INTO session "
      "(id, person_id, secret_hash, expires_at) SELECT gen_random_uuid(), id, sha256(''), now() + interval '1 day' "
      "FROM person; INSERT INTO feed_cursor VALUES ('contacts', gen_random_uuid(), 7)");
  const auto files = "SELECT pg_relation_filenode('session')";
  const auto before = sql.value(files), epoch = sql.value("SELECT epoch FROM feed");
  const std::jthread user(
      [&] { support::Sql(url).rows("BEGIN; UPDATE session SET last_used_at = now(); SELECT pg_sleep(1); COMMIT"); });
  while (sql.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = 'operators'") ==
         0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  run(organizations::add_commands, url, "after-restore");
  CHECK_EQ(sql.number("SELECT count(*) FROM session"), 0);
  CHECK_NE(sql.value(files), before);  // not row by row
  CHECK_NE(sql.value("SELECT epoch FROM feed"), epoch);
  CHECK_EQ(sql.number("SELECT count(*) FROM feed_cursor WHERE position = 7"), 0);
}
