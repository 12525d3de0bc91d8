// The totals of pages while Redis is stopped, hung, emptied or thrown back in time, PostgreSQL too, and many read and
// write at once. What a total may be is known exactly: every writer leaves beside its change what plain counting gives
// at the version that it makes, in the same transaction.
#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <filesystem>
#include <map>
#include <random>

#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;

namespace {

namespace fs = std::filesystem;

// Of a page that shows the marker, the contact that knows at which version it was written.
struct Answer {
  std::string filter;
  std::int64_t page_version = 0;  // the page's snapshot
  std::int64_t acknowledged = 0;  // the last version committed before the question
  std::int64_t newest = 0;        // the last version that could have been committed before the answer
  std::int64_t total = 0;
};

const std::vector<std::string> kWatched{"Active", "Blocked", "Active|ada", "|ada", "list", "list|Active", ""};

Filter filter_of(const std::string& name, const Uuid& list) {
  Filter filter;
  filter.paging.per_page = 1;  // the marker alone, which is the newest
  if (name.starts_with("Active") || name == "list|Active") filter.status = ContactStatus::Active;
  if (name == "Blocked") filter.status = ContactStatus::Blocked;
  if (name.ends_with("|ada")) filter.search = "ada";
  if (name.starts_with("list")) filter.list_id = list;
  return filter;
}

struct Bed {
  explicit Bed(const support::PostgresServer& server) : database(server) {
    organization = model::new_uuid();
    list = database.add_list(organization, "watched");
    auto& sql = database.sql();
    sql.rows("CREATE TABLE truth (version bigint, filter text, total bigint, PRIMARY KEY (version, filter))");
    // Changes rows, tells the marker of it, bumps the tally as its last statement, and writes down what is true now.
    // The lock makes versions and states correspond one to one.
    sql.rows(R"sql(
      CREATE FUNCTION work(o uuid, l uuid, roll int, lane int) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE v bigint; n bigint := 0; m bigint := 0; victim uuid; marker uuid := 'ffffffff-ffff-7fff-bfff-ffffffffffff';
      BEGIN
        PERFORM pg_advisory_xact_lock(1);
        SELECT id INTO victim FROM contact WHERE organization_id = o AND id <> marker ORDER BY random() LIMIT 1;
        IF roll % 4 < 2 OR victim IS NULL THEN
          INSERT INTO contact (organization_id, id, name, status) SELECT o, gen_random_uuid(),
            (ARRAY['Ada', 'Bob', 'ADA'])[1 + (roll + i) % 3], (ARRAY['Active', 'Blocked', 'Inactive'])[1 + (roll / 3 + i) % 3]
            FROM generate_series(1, 1 + roll % 3) i;
          GET DIAGNOSTICS n = ROW_COUNT;
        ELSIF roll % 4 = 2 THEN
          SELECT -count(*) INTO m FROM membership WHERE organization_id = o AND list_id = l AND contact_id = victim;
          DELETE FROM contact WHERE organization_id = o AND id = victim;
          n := -1;
        ELSE
          UPDATE contact SET status = CASE status WHEN 'Active' THEN 'Blocked' ELSE 'Active' END, name = CASE name WHEN 'Bob' THEN 'Ada' ELSE 'Bob' END
            WHERE organization_id = o AND id = victim;
          INSERT INTO membership VALUES (o, l, victim) ON CONFLICT DO NOTHING;
          GET DIAGNOSTICS m = ROW_COUNT;
        END IF;
        INSERT INTO tally AS t VALUES (o, '00000000-0000-0000-0000-000000000000', lane, n, 1) ON CONFLICT (organization_id, list_id, slot)
          DO UPDATE SET contacts = t.contacts + excluded.contacts, changes = t.changes + 1;
        INSERT INTO tally AS t VALUES (o, l, 0, m, 1) ON CONFLICT (organization_id, list_id, slot)
          DO UPDATE SET contacts = t.contacts + excluded.contacts, changes = t.changes + 1;
        SELECT sum(changes) INTO v FROM tally WHERE organization_id = o AND list_id = '00000000-0000-0000-0000-000000000000';
        UPDATE contact SET attributes = jsonb_build_object('v', v) WHERE organization_id = o AND id = marker;
        INSERT INTO truth SELECT v, f, (SELECT count(*) FROM contact c WHERE organization_id = o
            AND (f NOT LIKE '%Active%' OR status = 'Active') AND (f <> 'Blocked' OR status = 'Blocked')
            AND (f NOT LIKE '%ada' OR name ILIKE '%ada%')
            AND (f NOT LIKE 'list%' OR EXISTS (SELECT FROM membership m WHERE m.organization_id = o AND m.list_id = l AND m.contact_id = c.id)))
          FROM unnest(ARRAY['Active', 'Blocked', 'Active|ada', '|ada', 'list', 'list|Active', '']) f;
        RETURN v;
      END $$;)sql");
    sql.rows("BEGIN");
    sql.rows(
        "INSERT INTO contact (organization_id, id, name, status, attributes) VALUES ($1, "
        "'ffffffff-ffff-7fff-bfff-ffffffffffff', 'the ada marker', 'Active', '{\"v\": 0}')",
        {organization.text()});
    sql.rows("INSERT INTO membership VALUES ($1, $2, 'ffffffff-ffff-7fff-bfff-ffffffffffff')",
             {organization.text(), list.text()});
    sql.rows(
        "INSERT INTO tally AS t VALUES ($1, $2, 9, 1, 1) ON CONFLICT (organization_id, list_id, slot) DO UPDATE SET "
        "contacts = t.contacts + 1, changes = t.changes + 1",
        {organization.text(), Uuid{}.text()});
    sql.rows("UPDATE tally SET contacts = contacts + 1 WHERE organization_id = $1 AND list_id = $2",
             {organization.text(), list.text()});
    sql.rows("COMMIT");
    write();
  }

  // One write by a connection that blocks.
  std::int64_t write() {
    const auto version = database.sql().number(
        "SELECT work($1, $2, $3, $4)",
        {organization.text(), list.text(), std::to_string(random() % 1000), std::to_string(random() % 16)});
    return acknowledged = newest = std::max(newest, version);
  }

  std::int64_t plain(const std::string& filter) {
    return database.sql().number("SELECT total FROM truth WHERE filter = $1 ORDER BY version DESC LIMIT 1", {filter});
  }

  Database database;
  Uuid organization, list;
  std::int64_t acknowledged = 0, newest = 0;
  std::mt19937 random{20260131};
  std::vector<Answer> answers;
};

const pg::Statement work_statement("tests.contacts.work", "SELECT work($1, $2, $3, $4) AS work", pg::Lane::write,
                                   {2950, 2950, 23, 23}, pg::Statement::Kind::unlisted);

bool is_outage(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const pg::Unavailable&) {
    return true;
  } catch (const pg::SqlError& sql) {
    return sql.is_temporary();
  } catch (...) {
    return false;
  }
}

// Asks one replica and writes down what came; false when PostgreSQL was away, which only `may_fail` allows.
awaitable<bool> ask(Bed& bed, Replica& replica, std::string name, bool may_fail) {
  Answer answer{.filter = name, .acknowledged = bed.acknowledged};
  const auto filter = filter_of(name, bed.list);
  std::exception_ptr error;
  Page page;
  try {
    page = co_await replica.contacts.list(bed.organization, filter);
  } catch (...) {
    error = std::current_exception();
  }
  if (error) {
    if (!may_fail || !is_outage(error)) std::rethrow_exception(error);
    co_return false;
  }
  answer.newest = bed.newest;
  answer.total = page.total;
  answer.page_version = answer.acknowledged;
  if (!page.contacts.empty() && page.contacts[0].name == "the ada marker")
    answer.page_version = boost::json::parse(page.contacts[0].attributes.text).at("v").to_number<std::int64_t>();
  if (page.contacts.size() == 1 && name != "Blocked") CHECK_EQ(page.contacts[0].name, "the ada marker");
  // What was acknowledged before the question is in the page, whichever replica is asked.
  CHECK_GE(answer.page_version, answer.acknowledged);
  bed.answers.push_back(std::move(answer));
  co_return true;
}

awaitable<void> read_for_a_while(Bed& bed, Replica& replica, const bool& stop, bool may_fail) {
  while (!stop) {
    const bool answered = co_await ask(bed, replica, kWatched[bed.random() % kWatched.size()], may_fail);
    if (!answered || bed.random() % 4 == 0) co_await pause_for(std::chrono::microseconds(bed.random() % 3000));
  }
}

awaitable<void> write_for_a_while(Bed& bed, pg::Pool& pool, const bool& stop, bool may_fail) {
  while (!stop) {
    std::exception_ptr error;
    try {
      auto transaction = co_await pool.begin();
      const auto results = co_await transaction.run(pg::Batch(work_statement, bed.organization, bed.list,
                                                              static_cast<std::int64_t>(bed.random() % 1000),
                                                              static_cast<std::int64_t>(bed.random() % 16)));
      const auto version = results.one<std::int64_t>();
      bed.newest = std::max(bed.newest, version);  // from now on others may see it
      co_await transaction.commit();
      bed.acknowledged = std::max(bed.acknowledged, version);
    } catch (...) {
      error = std::current_exception();
    }
    if (error && (!may_fail || !is_outage(error))) std::rethrow_exception(error);
    co_await pause_for(std::chrono::microseconds(error ? 20'000 : bed.random() % 8000));
  }
}

// Every total must be what counting gave at some version between the page's own and the newest there could be.
void judge(Bed& bed) {
  std::map<std::string, std::map<std::int64_t, std::int64_t>> truth;
  for (const auto& row : bed.database.sql().rows("SELECT filter, version, total FROM truth"))
    truth[row[0]][std::stoll(row[1])] = std::stoll(row[2]);
  std::size_t wrong = 0;
  for (const auto& answer : bed.answers) {
    bool right = false;
    const auto& totals = truth[answer.filter];
    for (auto at = totals.lower_bound(answer.page_version); at != totals.end() && at->first <= answer.newest; ++at)
      right = right || at->second == answer.total;
    if (right) continue;
    ++wrong;
    CAPTURE(answer.filter);
    CAPTURE(answer.page_version);
    CAPTURE(answer.newest);
    CAPTURE(answer.total);
    if (wrong < 5) CHECK(right);
  }
  CHECK_EQ(wrong, 0);
  MESSAGE(bed.answers.size() << " answers over " << truth[""].size() << " versions");
  bed.answers.clear();
}

// Nobody writes now: every replica gives exactly what counting gives, the first time and from the cache.
void check_still(Bed& bed, Loop& loop, std::initializer_list<Replica*> replicas) {
  for (const auto& name : kWatched)
    for (int times = 0; times < 2; ++times)
      for (auto* replica : replicas) {
        INFO(name);
        CHECK_EQ(loop.run(replica->contacts.list(bed.organization, filter_of(name, bed.list))).total, bed.plain(name));
      }
}

struct TwoReplicas {
  TwoReplicas(Bed& bed, const support::RedisServer& redis)
      : loop(patient(bed.database.settings())),
        a(loop, patient(bed.database.settings()), redis.url()),
        b(loop, patient(bed.database.settings()), redis.url()) {
    wait_redis();
  }
  void wait_redis() {
    loop.until([this] { return a.redis.up() && b.redis.up(); });
  }
  Loop loop;
  Replica a, b;
};

fs::path folder_of(const support::RedisServer& redis) {
  const auto reply = redis.command("CONFIG GET dir");
  const auto begin = reply.find('/');
  return reply.substr(begin, reply.find('\r', begin) - begin);
}

void keep_copy(const fs::path& from, const fs::path& to) {
  fs::copy_file(from, to, fs::copy_options::overwrite_existing);
  fs::permissions(to, fs::perms::all);
}

}  // namespace

TEST_CASE("totals: two replicas agree with plain SQL after every write, on both, cached or not") {
  Bed bed(pg_tests::shared_server());
  support::RedisServer redis;
  TwoReplicas two(bed, redis);
  for (int i = 0; i < 30; ++i) {
    bed.write();
    for (auto* replica : {&two.a, &two.b})
      for (const auto& name : kWatched) two.loop.run(ask(bed, *replica, name, false));
    for (const auto& answer : bed.answers) REQUIRE_EQ(answer.total, bed.plain(answer.filter));
    bed.answers.clear();
    CHECK_EQ(bed.database.drifted(), 0);
  }
  CHECK(two.b.counts.stats().hits > 0);  // what the other replica stored
}

TEST_CASE("totals: Redis stopped, hung, emptied and killed between writes costs nobody a right total") {
  Bed bed(pg_tests::shared_server());
  support::RedisServer redis;
  TwoReplicas two(bed, redis);
  check_still(bed, two.loop, {&two.a, &two.b});

  redis.stop();
  bed.write();
  check_still(bed, two.loop, {&two.a, &two.b});
  redis.start();
  two.wait_redis();
  check_still(bed, two.loop, {&two.a, &two.b});

  redis.pause();
  bed.write();
  check_still(bed, two.loop, {&two.a, &two.b});
  redis.resume();
  check_still(bed, two.loop, {&two.a, &two.b});
  two.wait_redis();

  bed.write();
  redis.flush();
  check_still(bed, two.loop, {&two.a, &two.b});
  redis.kill();
  check_still(bed, two.loop, {&two.a, &two.b});
}

TEST_CASE("totals: a Redis that comes back with an old snapshot, or refuses to write, changes no total") {
  Bed bed(pg_tests::shared_server());
  support::RedisServer redis;
  TwoReplicas two(bed, redis);
  check_still(bed, two.loop, {&two.a, &two.b});
  redis.command("SAVE");
  const auto dump = folder_of(redis) / "dump.rdb", old = folder_of(redis) / "old.rdb";
  keep_copy(dump, old);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 5; ++i) bed.write();
    check_still(bed, two.loop, {&two.a, &two.b});
    redis.kill();
    keep_copy(old, dump);
    redis.start();
    two.wait_redis();
    CHECK_NE(redis.command("DBSIZE"), ":0\r\n");  // it did come back with something
    check_still(bed, two.loop, {&two.a, &two.b});
  }
  redis.command("CONFIG SET maxmemory 1");
  bed.write();
  check_still(bed, two.loop, {&two.a, &two.b});
  redis.command("CONFIG SET maxmemory 0");
  redis.command("REPLICAOF 127.0.0.1 1");
  bed.write();
  check_still(bed, two.loop, {&two.a, &two.b});
}

TEST_CASE("totals: a crowd that misses at once is one count a replica") {
  Bed bed(pg_tests::shared_server());
  support::RedisServer redis;
  TwoReplicas two(bed, redis);
  for (int i = 0; i < 10; ++i) bed.write();
  check_still(bed, two.loop, {&two.a, &two.b});  // from here on both know the database's epoch
  for (const bool redis_there : {true, false}) {
    if (!redis_there) redis.stop();
    bed.write();
    const auto counted_a = two.a.counts.stats().counted, counted_b = two.b.counts.stats().counted;
    for (int i = 0; i < 200; ++i)
      two.loop.launch([](Bed& bed, Replica& replica) -> awaitable<void> {
        const bool answered = co_await ask(bed, replica, "Active", false);
        CHECK(answered);
      }(bed, i % 2 ? two.a : two.b));
    two.loop.finish();
    CHECK_EQ(bed.answers.size(), 200);
    for (const auto& answer : bed.answers) REQUIRE_EQ(answer.total, bed.plain("Active"));
    bed.answers.clear();
    CHECK_LE(two.a.counts.stats().counted - counted_a, 2);
    CHECK_LE(two.b.counts.stats().counted - counted_b, 2);
  }
}

TEST_CASE("totals: readers and writers race while Redis comes and goes, and every total was true when it was given") {
  Bed bed(pg_tests::shared_server());
  support::RedisServer redis;
  TwoReplicas two(bed, redis);
  bool stop = false;
  for (int i = 0; i < 6; ++i) {
    two.loop.launch(read_for_a_while(bed, two.a, stop, false));
    two.loop.launch(read_for_a_while(bed, two.b, stop, false));
  }
  for (int i = 0; i < 3; ++i) two.loop.launch(write_for_a_while(bed, two.loop.pool, stop, false));
  const auto go_on = [&](std::chrono::milliseconds time) {
    const auto limit = std::chrono::steady_clock::now() + time;
    two.loop.until([&] { return std::chrono::steady_clock::now() >= limit; });
  };
  go_on(700ms);
  redis.command("SAVE");
  const auto dump = folder_of(redis) / "dump.rdb", old = folder_of(redis) / "old.rdb";
  keep_copy(dump, old);
  for (int round = 0; round < 2; ++round) {
    redis.flush();
    go_on(400ms);
    redis.pause();
    go_on(400ms);
    redis.resume();
    go_on(400ms);
    redis.kill();
    go_on(300ms);
    keep_copy(old, dump);
    redis.start();
    go_on(700ms);
  }
  stop = true;
  two.loop.finish();
  judge(bed);
  CHECK_EQ(bed.database.drifted(), 0);
  check_still(bed, two.loop, {&two.a, &two.b});
}

TEST_CASE("totals: PostgreSQL killed and started again under readers and writers makes no total wrong") {
  support::PostgresServer server;
  Bed bed(server);
  support::RedisServer redis;
  TwoReplicas two(bed, redis);
  for (int round = 0; round < 3; ++round) {
    bool stop = false;
    for (int i = 0; i < 4; ++i) {
      two.loop.launch(read_for_a_while(bed, two.a, stop, true));
      two.loop.launch(read_for_a_while(bed, two.b, stop, true));
    }
    for (int i = 0; i < 3; ++i) two.loop.launch(write_for_a_while(bed, two.loop.pool, stop, true));
    const auto go_on = [&](std::chrono::milliseconds time) {
      const auto limit = std::chrono::steady_clock::now() + time;
      two.loop.until([&] { return std::chrono::steady_clock::now() >= limit; });
    };
    go_on(500ms);
    server.kill();
    go_on(100ms);
    server.start();
    two.loop.until([&] { return two.a.pool.available() && two.b.pool.available() && two.loop.pool.available(); });
    go_on(600ms);
    stop = true;
    two.loop.finish();
    bed.database.reconnect();
    judge(bed);
    CHECK_EQ(bed.database.drifted(), 0);
    check_still(bed, two.loop, {&two.a, &two.b});
  }
}

TEST_CASE(
    "totals: a database that was restored from a backup, whose versions come again with other rows, is not confused") {
  support::PostgresServer server;
  Bed bed(server);
  support::RedisServer redis;
  TwoReplicas two(bed, redis);
  for (int i = 0; i < 5; ++i) bed.write();
  const fs::path data = server.execute("SHOW data_directory");
  const auto copy = [](const fs::path& from, const fs::path& to) {
    const auto command = "rm -rf '" + to.string() + "' && cp -a '" + from.string() + "' '" + to.string() + "'";
    REQUIRE_EQ(std::system(command.c_str()), 0);
  };
  server.stop();
  copy(data, data.parent_path() / "backup");
  for (int life = 0; life < 3; ++life) {
    server.start();
    two.loop.until([&] { return two.a.pool.available() && two.b.pool.available(); });
    bed.database.reconnect();
    check_still(bed, two.loop, {&two.a, &two.b});  // cached at the backup's version
    for (int i = 0; i < 4; ++i) {
      bed.write();
      check_still(bed, two.loop, {&two.a, &two.b});
    }
    server.stop();
    copy(data.parent_path() / "backup", data);
  }
  server.start();
}
