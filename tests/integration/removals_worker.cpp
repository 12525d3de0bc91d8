// What is removed in the background: in bounded steps, by one at a time, to the end, whatever happens in between.
#include "common/removals/worker.hpp"

#include "common/removals/sql.hpp"
#include "tests/integration/events_bed.hpp"

using namespace parley;
using namespace parley::events_tests;
using model::Uuid;

namespace {

const pg::Statement things_of_owner(
    "tests.removals.things_of_owner",
    "DELETE FROM thing WHERE organization_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM thing WHERE organization_id "
    "= $1 AND owner = $2 LIMIT $3))",
    pg::Lane::write, {pg::oid::uuid, pg::oid::uuid, pg::oid::int8}, pg::Statement::Kind::unlisted);
const pg::Statement note_end("tests.removals.note_end", "INSERT INTO ended VALUES ($1, $2)", pg::Lane::write,
                             {pg::oid::uuid, pg::oid::uuid}, pg::Statement::Kind::unlisted);

std::string quoted(const Uuid& id) { return "'" + id.text() + "'"; }

// Things of owners, and what each deleting statement took.
struct Bed {
  Bed() {
    database.execute(read_text("common/removals/removal.sql"));
    database.execute(
        "CREATE TABLE thing (organization_id uuid, owner uuid, id bigint); CREATE INDEX ON thing (organization_id, "
        "owner); CREATE TABLE taken (n bigint); CREATE TABLE ended (organization_id uuid, owner uuid);"
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO taken SELECT count(*) FROM "
        "gone; RETURN NULL; END $$;"
        "CREATE TRIGGER note AFTER DELETE ON thing REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "
        "note()");
  }
  Uuid add_owner(int things) const {
    const auto owner = model::new_uuid();
    database.execute("INSERT INTO thing SELECT " + quoted(organization) + ", " + quoted(owner) +
                     ", n FROM generate_series(1, " + std::to_string(things) + ") n");
    return owner;
  }
  // As whoever deletes the owner does it.
  void remove(const Uuid& owner) {
    Loop loop(database.settings());
    loop.wait_until_available();
    loop.run([](Bed& bed, Loop& loop, Uuid owner) -> awaitable<void> {
      co_await loop.pool.write(
          pg::Batch(removals::sql::begin, bed.organization, "owner", std::vector<Uuid>{owner, owner}));
    }(*this, loop, owner));
  }
  std::int64_t things(const Uuid& owner) const {
    return database.number("SELECT count(*) FROM thing WHERE owner = " + quoted(owner));
  }
  std::int64_t pending() const { return database.number("SELECT count(*) FROM removal WHERE finished_at IS NULL"); }

  Database database;
  Uuid organization = model::new_uuid();
};

std::vector<removals::Kind> kinds() { return {{.name = "owner", .steps = {&things_of_owner}, .last = {&note_end}}}; }

removals::WorkerSettings quick(std::int64_t most = 100) {
  return {.most = most, .busy_pause = 1ms, .idle_pause = 5ms, .retry_pause = 0s};
}

// A worker in a replica of its own.
struct Replica {
  Replica(const Bed& bed, removals::WorkerSettings settings, std::vector<removals::Kind> what = kinds())
      : loop(bed.database.settings()),
        worker(
            loop.context(), loop.pool, std::move(what), [this](std::string_view text) { reported = text; }, settings) {
    loop.wait_until_available();
    start_beside(loop, worker.run(), running);
  }
  ~Replica() {
    worker.stop();
    loop.until([this] { return running == 0; });
  }
  Loop loop;
  std::string reported;
  int running = 0;
  removals::Worker worker;
};

}  // namespace

TEST_SUITE("integration: removals") {
  TEST_CASE("rows go a bounded number a step, those of others stay, and the end is noted once") {
    Bed bed;
    const auto owner = bed.add_owner(1'005), other = bed.add_owner(50);
    bed.remove(owner);
    Replica replica(bed, quick());
    replica.loop.until([&] { return replica.worker.stats().finished == 1; });
    CHECK(bed.things(owner) == 0);
    CHECK(bed.things(other) == 50);
    CHECK(replica.worker.stats().rows == 1'005);
    CHECK(replica.worker.stats().failures == 0);
    CHECK(bed.database.number("SELECT max(n) FROM taken") == 100);
    CHECK(bed.database.number("SELECT count(*) FROM removal") == 0);
    CHECK(bed.database.execute("SELECT string_agg(owner::text, ',') FROM ended") == owner.text());
  }

  TEST_CASE("many at once with two replicas are each removed and finished once") {
    Bed bed;
    std::vector<Uuid> owners;
    for (int i = 0; i < 20; ++i) owners.push_back(bed.add_owner(i * 13));
    for (const auto& owner : owners) bed.remove(owner);
    Replica a(bed, quick(20)), b(bed, quick(20));
    a.loop.until([&] {
      b.loop.context().restart();
      b.loop.context().poll();
      return a.worker.stats().finished + b.worker.stats().finished == 20;
    });
    CHECK(bed.database.number("SELECT count(*) FROM thing") == 0);
    CHECK(bed.database.number("SELECT count(*) FROM ended") == 20);
    CHECK(a.worker.stats().rows + b.worker.stats().rows == 13 * 190);
    CHECK(a.worker.stats().failures + b.worker.stats().failures == 0);
  }

  TEST_CASE("connections that break in the middle cost nothing but time") {
    Bed bed;
    const auto owner = bed.add_owner(3'000);
    bed.remove(owner);
    Replica replica(bed, quick(10));
    for (int i = 0; i < 8; ++i) {
      const auto before = replica.worker.stats().rows;
      replica.loop.until([&] { return replica.worker.stats().rows > before + 50 || bed.pending() == 0; });
      bed.database.execute(
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
          "pg_backend_pid()");
    }
    replica.loop.until([&] { return bed.pending() == 0; });
    CHECK(bed.things(owner) == 0);
    // What was undone with its connection was not counted, and done again; each row was taken by one transaction.
    CHECK(bed.database.number("SELECT sum(n) FROM taken") == 3'000);
    CHECK(bed.database.number("SELECT count(*) FROM ended") == 1);
  }

  TEST_CASE("one that cannot be removed waits for its turn and holds up no other") {
    Bed bed;
    const auto stuck = bed.add_owner(30);
    bed.database.execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD.owner = " +
                         quoted(stuck) + " THEN RAISE EXCEPTION 'not this one'; END IF; RETURN OLD; END $$;" +
                         "CREATE TRIGGER refuse BEFORE DELETE ON thing FOR EACH ROW EXECUTE FUNCTION refuse()");
    bed.remove(stuck);
    std::vector<Uuid> others;
    for (int i = 0; i < 3; ++i) others.push_back(bed.add_owner(250));
    for (const auto& owner : others) bed.remove(owner);
    Replica replica(bed, quick());
    replica.loop.until([&] { return replica.worker.stats().finished == 3 && replica.worker.stats().failures > 1; });
    CHECK(bed.things(stuck) == 30);
    CHECK(bed.pending() == 1);
    CHECK(replica.reported.find("not this one") != std::string::npos);

    bed.database.execute("DROP TRIGGER refuse ON thing");
    replica.loop.until([&] { return replica.worker.stats().finished == 4; });
    CHECK(bed.things(stuck) == 0);
  }

  TEST_CASE("one that late writers may add to is finished only when it is old enough, and kept if it is to be") {
    Bed bed;
    const auto owner = bed.add_owner(10);
    bed.remove(owner);
    auto what = kinds();
    what[0].min_age = std::chrono::minutes(2);
    what[0].keep = true;
    Replica replica(bed, quick(), what);
    replica.loop.until([&] { return bed.things(owner) == 0; });
    bed.database.execute("INSERT INTO thing VALUES (" + quoted(bed.organization) + ", " + quoted(owner) + ", 0)");
    const auto let_time_pass = [&] {
      bed.database.execute("UPDATE removal SET started_at = now() - interval '3 minutes', due_at = now()");
    };
    CHECK(bed.pending() == 1);
    let_time_pass();
    replica.loop.until([&] { return replica.worker.stats().finished == 1; });
    CHECK(bed.things(owner) == 0);
    CHECK(bed.pending() == 0);
    CHECK(bed.database.number("SELECT count(*) FROM removal WHERE finished_at IS NOT NULL") == 1);

    bed.remove(owner);  // told a second time
    CHECK(bed.pending() == 1);
    let_time_pass();
    replica.loop.until([&] { return replica.worker.stats().finished == 2; });
  }

  TEST_CASE("kinds that this program does not know are left to one that does") {
    Bed bed;
    bed.database.execute("INSERT INTO removal (organization_id, kind, id) VALUES (" + quoted(bed.organization) +
                         ", 'newer', " + quoted(bed.organization) + ")");
    const auto owner = bed.add_owner(10);
    bed.remove(owner);
    Replica replica(bed, quick());
    replica.loop.until([&] { return replica.worker.stats().finished == 1; });
    CHECK(bed.database.execute("SELECT string_agg(kind, ',') FROM removal") == "newer");
    CHECK(replica.worker.stats().failures == 0);
  }
}
