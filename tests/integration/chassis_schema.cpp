// A process is ready only when its database's schema is not older than what it was built for.
#include "common/chassis/schema.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/support/process.hpp"
#include "tests/support/sql.hpp"

using namespace parley;
using namespace parley::pg_tests;

namespace {

constexpr pg::Migration kMigrations[] = {{1, "0001_one.sql", "CREATE TABLE one ()"},
                                         {2, "0002_two.sql", "CREATE TABLE two ()"},
                                         {3, "0003_three.sql", "CREATE TABLE three ()"}};
constexpr std::span<const pg::Migration> kAll(kMigrations);
constexpr pg::FunctionFile kFunctions[] = {
    {"chassis/functions.sql", 3, "CREATE OR REPLACE FUNCTION three() RETURNS int LANGUAGE sql AS 'SELECT 3'"}};

struct Bed {
  explicit Bed(const support::PostgresServer& server) : url(server.url("postgres", make_database(server))) {}
  static std::string make_database(const support::PostgresServer& server) {
    static int count = 0;
    const auto name = "schema_" + std::to_string(++count);
    server.execute("CREATE DATABASE " + name);
    return name;
  }
  void start() {
    pool.start();
    watch.start();
  }
  void until(const std::function<bool()>& condition) { support::run_until(process.context(), condition); }
  double shown(const std::string& metric) {
    const auto text = process.metrics().scrape();
    const auto at = text.find("\n" + metric + " ");
    REQUIRE(at != text.npos);
    return std::stod(text.substr(at + metric.size() + 2));
  }
  bool says(std::string_view text) const { return watch.not_ready().find(text) != std::string::npos; }

  std::string url;
  chassis::Process process{support::process_settings("sample")};
  pg::Pool pool{process.context(), {.url = url, .replica_url = {}}};
  chassis::SchemaWatch watch{process, pool, {kAll.first(2), kFunctions}};
};

}  // namespace

TEST_SUITE("integration: chassis schema") {
  TEST_CASE("not ready while the schema is older, ready as soon as it is migrated") {
    Bed bed(shared_server());
    CHECK(bed.says("not reached yet"));
    bed.start();
    bed.until([&] { return bed.says("version 0, this program needs 2"); });
    pg::migrate(bed.url, {kAll.first(1)});
    bed.until([&] { return bed.says("version 1, this program needs 2: run migrate"); });
    pg::migrate(bed.url, {kAll.first(2)});
    bed.until([&] { return bed.says("lacks the functions of chassis/functions.sql: run migrate"); });
    pg::migrate(bed.url, {kAll.first(2), kFunctions});
    bed.until([&] { return bed.watch.not_ready().empty(); });
  }

  TEST_CASE("a newer schema is fine: another program's migration came first") {
    Bed bed(shared_server());
    pg::migrate(bed.url, {kAll, kFunctions});
    bed.start();
    bed.until([&] { return bed.watch.not_ready().empty(); });
  }

  TEST_CASE("a database that cannot be reached: not ready at the start") {
    support::PostgresServer server;
    Bed bed(server);
    pg::migrate(bed.url, {kAll, kFunctions});
    server.stop();
    bed.start();
    bed.until([&] { return bed.pool.stats(pg::Lane::read).connect_failures > 0; });
    CHECK(bed.says("not reached yet"));
    server.start();
    bed.until([&] { return bed.watch.not_ready().empty(); });
  }

  TEST_CASE("the server's connections are shown, whoever's they are, and how many it allows") {
    support::PostgresServer server({"max_connections = 20", "superuser_reserved_connections = 3"});
    Bed bed(server);
    pg::migrate(bed.url, {kAll, kFunctions});
    CHECK_EQ(bed.shown("db_server_connections"), 0);
    CHECK_EQ(bed.shown("db_server_connections_max"), 0);
    support::Sql one(server.url("postgres", "postgres")), another(server.url("postgres", "postgres"));
    one.rows("SELECT 1");
    another.rows("SELECT 1");
    bed.start();
    bed.until([&] { return bed.watch.not_ready().empty(); });
    CHECK_EQ(bed.shown("db_server_connections_max"), 17);
    CHECK_GE(bed.shown("db_server_connections"), 3);
    CHECK_LE(bed.shown("db_server_connections"), 20);
  }
}
