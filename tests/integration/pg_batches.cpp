// Reads, their rows and their errors, on one private server.

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <limits>

#include "common/pg/migrate.hpp"
#include "common/pg/variants.hpp"
#include "tests/integration/pg_loop.hpp"

namespace parley::pg_tests {
namespace {

using pg::Batch;
using pg::Lane;
using pg::Statement;
namespace oid = pg::oid;

enum class Colour { Red, DarkBlue };
BOOST_DESCRIBE_ENUM(Colour, Red, DarkBlue)

struct Base {
  model::Uuid id;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(Base, (), (id, name))

struct Part {
  std::string label;
};
BOOST_DESCRIBE_STRUCT(Part, (), (label))

struct Everything : Base {
  std::optional<std::string> note;
  bool flag = false;
  int small = 0;
  std::int64_t large = 0;
  double real = 0;
  model::Timestamp at;
  model::RawJson attributes;
  Colour colour = Colour::Red;
  std::vector<model::Uuid> ids;
  std::vector<std::string> texts;
  std::vector<std::int64_t> numbers;
  std::vector<Part> parts;  // no column can fill these three
  model::RawJson elsewhere{"[]"};
  Part part;
};
BOOST_DESCRIBE_STRUCT(Everything, (Base),
                      (note, flag, small, large, real, at, attributes, colour, ids, texts, numbers, parts, elsewhere,
                       part))

const Statement echo(
    "test.echo",
    "SELECT $1::uuid AS id, $2::text AS name, $3::text AS note, $4::bool AS flag, $5::int2 AS small, $6::int8 AS "
    "large, "
    "$7::float8 AS real, $8::timestamptz AS at, $9::jsonb AS attributes, $10::text AS colour, $11::uuid[] AS ids, "
    "$12::text[] AS texts, $13::int8[] AS numbers",
    Lane::read,
    {oid::uuid, oid::text, oid::text, oid::boolean, oid::int2, oid::int8, oid::float8, oid::timestamptz, oid::jsonb,
     oid::text, oid::uuid_array, oid::text_array, oid::int8_array});
const Statement text_echo("test.text_echo", "SELECT $1::text", Lane::read, {oid::text});
const Statement bytes_echo("test.bytes_echo", "SELECT $1::bytea", Lane::read, {oid::bytea});
const Statement number("test.number", "SELECT $1::int8 AS n", Lane::read, {oid::int8});
const Statement numbers("test.numbers", "SELECT n FROM generate_series(1, $1::int8) n", Lane::read, {oid::int8});
const Statement divide("test.divide", "SELECT 10 / $1::int8", Lane::read, {oid::int8});
const Statement isolation("test.isolation",
                          "SELECT current_setting('transaction_isolation') || ' ' || "
                          "current_setting('transaction_read_only') || ' ' || current_setting('statement_timeout')",
                          Lane::read, {});
const Statement as_sum("test.as_sum", "SELECT sum(n) AS n FROM generate_series(1::int8, 3) n", Lane::read, {});
const Statement two_columns("test.two_columns", "SELECT 1::int8 AS n, 2::int8 AS m", Lane::read, {});
const Statement nothing("test.nothing", "SELECT 1::int8 AS n WHERE false", Lane::read, {});
const Statement null("test.null", "SELECT NULL::int8 AS n", Lane::read, {});
const Statement slow_number("test.slow_number", "SELECT $1::int8", Lane::slow, {oid::int8});
const Statement write_number("test.write_number", "SELECT $1::int8", Lane::write, {oid::int8});
const Statement nap("test.nap", "SELECT pg_sleep($1)::text", Lane::read, {oid::float8});
const Statement slow_nap("test.slow_nap", "SELECT pg_sleep($1)::text", Lane::slow, {oid::float8});
const Statement sneaky("test.sneaky", "BEGIN", Lane::read, {}, Statement::Kind::unprepared);
struct ordered_parts {
  bool down = false;
};
const pg::Variants<ordered_parts> ordered(
    "test.ordered", "SELECT n FROM generate_series(1, $1::int8) n ORDER BY n/*if down*/ DESC/*end*/", Lane::read,
    {oid::int8});

struct Number {
  std::int64_t n = 0;
};
BOOST_DESCRIBE_STRUCT(Number, (), (n))
struct NumberAndMore {
  std::int64_t n = 0;
  std::string more;
};
BOOST_DESCRIBE_STRUCT(NumberAndMore, (), (n, more))
struct NumberAsText {
  std::string n;
};
BOOST_DESCRIBE_STRUCT(NumberAsText, (), (n))

// The SQLSTATE with which a batch fails.
awaitable<std::string> state_of(pg::Pending pending) {
  std::string state;
  try {
    co_await pending.get();
  } catch (const pg::SqlError& error) {
    state = error.state;
  }
  co_return state;
}

pg::Settings unprepared() {
  auto settings = settings_for(shared_server());
  settings.prepared = false;
  return settings;
}

awaitable<void> everything_comes_back(pg::Pool& pool) {
  const auto id = model::new_uuid();
  const std::vector<model::Uuid> ids{model::new_uuid(), model::new_uuid()};
  const std::vector<std::string> texts{"", "a \"quoted\", {text}", "\xc3\xa4"};
  Batch batch;
  batch.add(echo, id, "name", std::nullopt, true, -7, std::numeric_limits<std::int64_t>::min(), 0.1,
            model::Timestamp{1'769'862'896'789}, model::RawJson{R"({"a": [1, "b"]})"}, Colour::DarkBlue, ids, texts,
            std::vector<std::int64_t>{});
  auto results = co_await pool.read(std::move(batch));
  auto row = results.one<Everything>();
  CHECK(row.id == id);
  CHECK(row.name == "name");
  CHECK_FALSE(row.note);
  CHECK(row.flag);
  CHECK(row.small == -7);
  CHECK(row.large == std::numeric_limits<std::int64_t>::min());
  CHECK(row.real == 0.1);
  CHECK(row.at.text() == "2026-01-31T12:34:56.789Z");
  CHECK(row.attributes.text == R"({"a": [1, "b"]})");
  CHECK(row.colour == Colour::DarkBlue);
  CHECK(row.ids == ids);
  CHECK(row.texts == texts);
  CHECK(row.numbers.empty());
  CHECK(row.elsewhere.text == "[]");
}

TEST_CASE("pg: values of every type go and come") {
  Loop loop(shared_server());
  loop.run(everything_comes_back(loop.pool));
  Loop without(unprepared());
  without.run(everything_comes_back(without.pool));
}

TEST_CASE("pg: text is sent whole, and what the server cannot hold is an error") {
  Loop loop(shared_server());
  const std::string odd = "\x01\x7f 'quoted' \\ $1 \xf0\x9f\x98\x80";
  CHECK(loop.run(loop.pool.read(Batch(text_echo, odd))).one<std::string>() == odd);
  const std::string bytes("\0\xff\0", 3);
  CHECK(loop.run(loop.pool.read(Batch(bytes_echo, bytes))).one<std::string>() == bytes);
  CHECK(loop.run(state_of(loop.pool.start_read(Batch(text_echo, std::string("a\0b", 3))))) == "22021");
  CHECK(loop.run(state_of(loop.pool.start_read(Batch(text_echo, "\xff\xfe")))) == "22021");
}

TEST_CASE("pg: rows, the only row, no row") {
  Loop loop(shared_server());
  auto results = loop.run(loop.pool.read(Batch().add(numbers, 3).add(nothing).add(null).add(number, 9)));
  CHECK(results.size() == 4);
  CHECK(results.rows<std::int64_t>(0) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(results.rows<Number>(0).at(2).n == 3);
  CHECK(results.row_count(0) == 3);
  CHECK(results.affected(0) == 3);
  CHECK_FALSE(results.optional<Number>(1));
  CHECK(results.rows<Number>(1).empty());
  CHECK_THROWS_AS(results.one<Number>(1), pg::MappingError);
  CHECK_THROWS_AS(results.optional<Number>(0), pg::MappingError);
  CHECK(results.one<int>(3) == 9);
  CHECK(results.one<std::optional<int>>(2) == std::nullopt);
  CHECK_THROWS_WITH_AS(results.one<int>(2), "test.null: column n is NULL", pg::MappingError);
  CHECK_THROWS_AS(results.rows<int>(4), pg::MappingError);
}

TEST_CASE("pg: a struct that does not fit the columns is refused by name") {
  Loop loop(shared_server());
  auto results = loop.run(loop.pool.read(Batch().add(number, 1).add(two_columns).add(as_sum)));
  CHECK_THROWS_WITH_AS(results.one<NumberAndMore>(0), "test.number: there is no column for the member more",
                       pg::MappingError);
  CHECK_THROWS_WITH_AS(results.one<Number>(1), "test.two_columns: there is no member for the column m",
                       pg::MappingError);
  CHECK_THROWS_WITH_AS(results.one<NumberAsText>(0), "test.number: column n is int8, the member needs text",
                       pg::MappingError);
  CHECK_THROWS_AS(results.one<Number>(2), pg::MappingError);  // numeric
  CHECK_THROWS_AS(results.one<int>(1), pg::MappingError);
}

TEST_CASE("pg: lanes are kept apart") {
  Loop loop(shared_server());
  CHECK_THROWS_AS(loop.pool.start_read(Batch(write_number, 1)), pg::MappingError);
  CHECK_THROWS_AS(loop.pool.start_read(Batch(slow_number, 1)), pg::MappingError);
  CHECK_THROWS_AS(loop.run(loop.pool.slow(Batch(write_number, 1))), pg::MappingError);
  CHECK_THROWS_AS(loop.run(loop.pool.write(Batch(slow_number, 1))), pg::MappingError);
  CHECK_THROWS_AS(loop.pool.start_read(Batch()), pg::MappingError);
  CHECK(loop.run(loop.pool.slow(Batch().add(slow_number, 1).add(number, 2))).one<int>(1) == 2);
  CHECK(loop.run(loop.pool.write(Batch().add(write_number, 1).add(number, 2))).one<int>(1) == 2);
}

TEST_CASE("pg: each lane has its isolation and its timeout") {
  for (bool prepared : {true, false}) {
    auto settings = settings_for(shared_server());
    settings.prepared = prepared;
    Loop loop(settings);
    CHECK(loop.run(loop.pool.read(Batch().add(isolation).add(number, 1))).one<std::string>() == "repeatable read on 0");
    CHECK(loop.run(loop.pool.slow(Batch(isolation))).one<std::string>() == "repeatable read on 30s");
    CHECK(loop.run(loop.pool.write(Batch(isolation))).one<std::string>() == "read committed off 0");
  }
}

awaitable<void> fails_between_neighbours(pg::Pool& pool, int& wrong) {
  for (int i = 0; i < 200; ++i) {
    auto before = pool.start_read(Batch().add(number, i).add(number, i + 1));
    auto failing = pool.start_read(Batch().add(number, 1).add(divide, 0).add(number, 2));
    auto after = pool.start_read(Batch().add(number, -i).add(numbers, 3));
    auto failing_too = pool.start_read(Batch(divide, 0));
    auto last = pool.start_read(Batch(divide, 5));
    if ((co_await before.get()).one<int>(1) != i + 1) ++wrong;
    if (co_await state_of(std::move(failing)) != "22012") ++wrong;
    auto results = co_await after.get();
    if (results.one<int>(0) != -i || results.rows<int>(1).size() != 3) ++wrong;
    if (co_await state_of(std::move(failing_too)) != "22012") ++wrong;
    if ((co_await last.get()).one<int>() != 2) ++wrong;
  }
}

TEST_CASE("pg: a failed statement touches no neighbour in the pipeline") {
  for (bool prepared : {true, false}) {
    auto settings = settings_for(shared_server());
    settings.prepared = prepared;
    settings.read_connections = 1;
    Loop loop(settings);
    int wrong = 0;
    for (int i = 0; i < 16; ++i) loop.launch(fails_between_neighbours(loop.pool, wrong));
    loop.finish();
    CHECK(wrong == 0);
    const auto stats = loop.pool.stats(Lane::read);
    CHECK(stats.connects == 1);
    CHECK(stats.errors.at("22") == 16 * 200 * 2);
  }
}

TEST_CASE("pg: a transaction that a statement leaves open is not the next one's") {
  for (bool prepared : {true, false}) {
    auto settings = settings_for(shared_server());
    settings.prepared = prepared;
    settings.read_connections = 1;
    Loop loop(settings);
    for (int i = 0; i < 5; ++i) {
      loop.run(loop.pool.read(Batch(sneaky)));
      CHECK(loop.run(state_of(loop.pool.start_read(Batch(divide, 0)))) == "22012");
      CHECK(loop.run(loop.pool.read(Batch(number, i))).one<int>() == i);
    }
  }
}

const Statement pairs_left("test.pairs_left", "SELECT n FROM snapshot_test WHERE side = 'left' ORDER BY n", Lane::read,
                           {});
const Statement pairs_right("test.pairs_right", "SELECT n FROM snapshot_test WHERE side = 'right' ORDER BY n",
                            Lane::read, {});
const Statement add_pair("test.add_pair", "INSERT INTO snapshot_test VALUES ('left', $1), ('right', $1)", Lane::write,
                         {oid::int8});

awaitable<void> insert_pairs(pg::Pool& pool, int count, bool& over) {
  for (int i = 0; i < count; ++i) co_await pool.write(Batch(add_pair, i));
  over = true;
}

awaitable<void> compare_pairs(pg::Pool& pool, const bool& over, int& wrong, int& reads) {
  while (!over) {
    auto results = co_await pool.read(Batch().add(pairs_left).add(nap, 0.002).add(pairs_right));
    if (results.rows<int>(0) != results.rows<int>(2)) ++wrong;
    ++reads;
  }
}

TEST_CASE("pg: the statements of one read see one snapshot") {
  for (bool prepared : {true, false}) {
    shared_server().execute("DROP TABLE IF EXISTS snapshot_test; CREATE TABLE snapshot_test (side text, n int8)");
    auto settings = settings_for(shared_server());
    settings.prepared = prepared;
    Loop loop(settings);
    bool over = false;
    int wrong = 0, reads = 0;
    loop.launch(insert_pairs(loop.pool, 300, over));
    for (int i = 0; i < 4; ++i) loop.launch(compare_pairs(loop.pool, over, wrong, reads));
    loop.finish();
    CHECK(wrong == 0);
    CHECK(reads > 0);
  }
}

TEST_CASE("pg: a primary that becomes read-only is left by all connections") {
  support::PostgresServer server;
  server.execute("CREATE TABLE entry (id int8)");
  static const Statement insert("test.insert_entry", "INSERT INTO entry VALUES ($1)", Lane::write, {oid::int8});
  static const Statement turn("test.turn_read_only", "SET transaction_read_only = on", Lane::write, {},
                              Statement::Kind::unprepared);
  Loop loop(server);
  loop.until([&] {
    return loop.pool.stats(Lane::write).connections == 8 && loop.pool.stats(Lane::read).connections == 2 &&
           loop.pool.stats(Lane::slow).connections == 3;
  });
  CHECK_THROWS_AS(loop.run(loop.pool.write(Batch().add(turn).add(insert, 1))), pg::SqlError);
  loop.until([&] {
    return loop.pool.stats(Lane::write).connects == 16 && loop.pool.stats(Lane::read).connects == 4 &&
           loop.pool.stats(Lane::slow).connects == 6;
  });
  loop.run(loop.pool.write(Batch(insert, 1)));
}

TEST_CASE("pg: a read cannot write") {
  static const Statement sneaks("test.sneaks", "CREATE TEMP TABLE x ()", Lane::read, {}, Statement::Kind::unprepared);
  Loop loop(shared_server());
  CHECK(loop.run(state_of(loop.pool.start_read(Batch(sneaks)))) == "25006");
}

TEST_CASE("pg: a connection prepares what ran there, and nothing else") {
  auto settings = settings_for(shared_server());
  settings.read_connections = 1;
  settings.write_connections = 1;
  Loop loop(settings);
  static const Statement count_prepared("test.count_prepared", "SELECT count(*)::int8 FROM pg_prepared_statements",
                                        Lane::read, {}, Statement::Kind::unprepared);
  CHECK(loop.run(loop.pool.read(Batch(count_prepared))).one<int>() == 0);
  for (int i = 0; i < 3; ++i) {
    CHECK(loop.run(loop.pool.read(Batch(number, i))).one<int>() == i);
    CHECK(loop.run(loop.pool.read(Batch(ordered[{}], 3))).rows<int>() == std::vector<int>{1, 2, 3});
    CHECK(loop.run(loop.pool.read(Batch(ordered[{.down = true}], 3))).rows<int>() == std::vector<int>{3, 2, 1});
  }
  CHECK(loop.run(loop.pool.read(Batch(count_prepared))).one<int>() == 3);
  for (int i = 0; i < 3; ++i) CHECK(loop.run(loop.pool.write(Batch(write_number, i))).one<int>() == i);
  CHECK(loop.run(loop.pool.write(Batch(count_prepared))).one<int>() == 3);  // with BEGIN and COMMIT
}

TEST_CASE("pg: a table that changes under prepared statements is read on") {
  auto& server = shared_server();
  server.execute("DROP TABLE IF EXISTS changing; CREATE TABLE changing (n int8); INSERT INTO changing VALUES (1)");
  static const Statement all("test.changing", "SELECT * FROM changing", Lane::read, {});
  static const Statement touch("test.touch_changing", "UPDATE changing SET n = n + 1 RETURNING *", Lane::write, {});
  Loop loop(server);
  loop.wait_until_available();
  CHECK(loop.run(loop.pool.read(Batch(all))).one<int>() == 1);
  CHECK(loop.run(loop.pool.write(Batch(touch))).one<int>() == 2);
  CHECK(loop.run(loop.pool.read(Batch(all))).one<int>() == 2);
  for (int i = 0; i < 5; ++i) {  // until every connection has met the change
    server.execute("ALTER TABLE changing ALTER COLUMN n TYPE int4");
    CHECK(loop.run(loop.pool.read(Batch(all))).one<int>() == 2 + i);
    CHECK(loop.run(loop.pool.write(Batch(touch))).one<int>() == 3 + i);
    server.execute("ALTER TABLE changing ALTER COLUMN n TYPE int8");
    CHECK(loop.run(loop.pool.read(Batch(all))).one<int>() == 3 + i);
  }
  server.execute("DROP TABLE changing");
  CHECK(loop.run(state_of(loop.pool.start_read(Batch(all)))) == "42P01");
  // A connection made meanwhile cannot prepare it, and serves all the same.
  Loop without(server);
  CHECK(without.run(without.pool.read(Batch(number, 1))).one<int>() == 1);
  CHECK(without.run(state_of(without.pool.start_read(Batch(all)))) == "42P01");
  server.execute("CREATE TABLE changing (n int8); INSERT INTO changing VALUES (1)");
  CHECK(without.run(without.pool.read(Batch(all))).one<int>() == 1);
}

TEST_CASE("pg: prepared statements that someone dropped are made again") {
  static const Statement discard("test.discard", "DEALLOCATE ALL", Lane::read, {}, Statement::Kind::unprepared);
  auto settings = settings_for(shared_server());
  settings.read_connections = 1;
  Loop loop(settings);
  for (int i = 0; i < 3; ++i) {
    CHECK(loop.run(loop.pool.read(Batch(number, i))).one<int>() == i);
    loop.run(loop.pool.read(Batch(discard)));
    CHECK(loop.run(loop.pool.read(Batch(number, i))).one<int>() == i);
    loop.until([&] { return loop.pool.stats(Lane::read).connects == static_cast<std::uint64_t>(i) + 2; });
  }
}

TEST_CASE("pg: a read need not be awaited") {
  Loop loop(shared_server());
  loop.wait_until_available();
  for (int i = 0; i < 30; ++i) loop.pool.start_read(Batch().add(numbers, 100).add(number, i));
  CHECK(loop.run(loop.pool.read(Batch(number, 7))).one<int>() == 7);
  loop.until([&] { return loop.pool.stats(Lane::read).in_flight == 0; });
  CHECK(loop.pool.stats(Lane::read).batches == 31);
}

awaitable<void> read_numbers(pg::Pool& pool, int& refused) {
  try {
    co_await pool.read(Batch().add(nap, 0.05).add(number, 1));
  } catch (const pg::Unavailable&) {
    ++refused;
  }
}

TEST_CASE("pg: a read outlives its pool") {
  Loop loop(shared_server());
  auto pool = std::make_unique<pg::Pool>(loop.context(), settings_for(shared_server()));
  pool->start();
  auto unsent = pool->start_read(Batch(number, 1));
  loop.until([&] { return pool->available(); });
  auto sent = pool->start_read(Batch(number, 1));
  {
    auto let_go = pool->start_read(Batch(number, 1));
  }
  pool.reset();
  CHECK_THROWS_AS(loop.run(unsent.get()), pg::Unavailable);
  CHECK_THROWS_AS(loop.run(sent.get()), pg::Unavailable);
}

TEST_CASE("pg: reads under way are bounded") {
  auto settings = settings_for(shared_server());
  settings.max_reads_a_connection = 2;
  settings.max_reads_waiting = 4;
  Loop loop(settings);
  loop.wait_until_available();
  loop.until([&] { return loop.pool.stats(Lane::read).connections == 2; });
  int refused = 0;
  for (int i = 0; i < 20; ++i) loop.launch(read_numbers(loop.pool, refused));
  loop.until([&] { return loop.pool.stats(Lane::read).in_flight == 4 && loop.pool.stats(Lane::read).waiters == 4; });
  loop.finish();
  CHECK(refused == 12);
  CHECK(loop.pool.stats(Lane::read).rejected == 12);
}

TEST_CASE("pg: finished batches are counted and observed") {
  Loop loop(shared_server());
  std::vector<std::string> seen;
  loop.pool.observe([&](const pg::BatchReport& report) {
    seen.push_back(std::string(name_of(report.lane)) + " " + (report.first ? report.first->name : "-") + " " +
                   std::to_string(report.statements) + " " + std::string(report.state));
    CHECK(report.seconds >= 0);
  });
  loop.run(loop.pool.read(Batch().add(number, 1).add(number, 2)));
  loop.run(state_of(loop.pool.start_read(Batch(divide, 0))));
  loop.run(loop.pool.slow(Batch(slow_number, 1)));
  CHECK(seen ==
        std::vector<std::string>{"read test.number 2 ", "read test.divide 1 22012", "slow test.slow_number 1 "});
  const auto stats = loop.pool.stats(Lane::read);
  CHECK(stats.batches == 2);
  CHECK(stats.statements == 3);
  CHECK(stats.errors.at("22") == 1);
}

TEST_CASE("pg: a closing pool finishes what is under way, and does not wait for a deadline") {
  pg::Settings settings;
  settings.url = shared_server().url();
  settings.read_deadline = settings.write_deadline = settings.slow_deadline = std::chrono::hours(1);
  Loop loop(settings);
  loop.wait_until_available();
  auto pending = loop.pool.start_read(Batch().add(nap, 0.2).add(number, 5));
  loop.launch(loop.pool.close());
  CHECK(loop.run(pending.get()).one<int>(1) == 5);
  loop.finish();
  CHECK_FALSE(loop.pool.available());
  CHECK_THROWS_AS(loop.run(loop.pool.read(Batch(number, 1))), pg::Unavailable);
  CHECK_THROWS_AS(loop.run(loop.pool.write(Batch(number, 1))), pg::Unavailable);
}

TEST_CASE("pg: wrong addresses") {
  asio::io_context context;
  pg::Settings settings;
  settings.url = "postgresql://[";
  CHECK_THROWS_AS(pg::Pool(context, settings), std::invalid_argument);
  settings.url = "postgresql://postgres@no-such-host.invalid/postgres";
  settings.outage_grace = 300ms;
  settings.write_connections = settings.slow_connections = 0;  // a name server may refuse to be asked often
  Loop loop(settings);
  CHECK_THROWS_AS(loop.run(loop.pool.read(Batch(number, 1))), pg::Unavailable);
}

TEST_CASE("pg: names are looked up, and a host that refuses is passed by") {
  auto& server = shared_server();
  pg::Settings settings;
  settings.url = "postgresql://postgres@127.0.0.1:1,localhost:" + std::to_string(server.port()) + "/postgres";
  Loop loop(settings);
  CHECK(loop.run(loop.pool.read(Batch(number, 1))).one<int>() == 1);
}

}  // namespace
}  // namespace parley::pg_tests
