// Imports: worked off in batches by whoever holds the lease, each row once, and each organization in its turn.
#include <map>
#include <utility>

#include "tests/integration/contacts_imports_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
using imports::Applied;
using imports::Job;

namespace {

std::int64_t staged_chunks(Database& database) { return database.sql().number("SELECT count(*) FROM import_chunk"); }

}  // namespace

TEST_SUITE("integration: imports, turns") {
  TEST_CASE("a worker that ends gives back what it works on, and another goes on behind its last batch") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    const auto id = importer.stage(organization, numbered_file(20'000) + numbered_file(500));
    int workers = 0;
    for (; importer.find(organization, id).status != Status::Finished; ++workers) {
      REQUIRE(workers < 100);
      Importer another(loop, database);
      Working working(loop, {&another});
      const auto before = importer.find(organization, id).rowsRead;
      loop.until([&] {
        const auto now = importer.find(organization, id);
        return now.rowsRead > before + 3'000 || now.status == Status::Finished;
      });
      working.stop();
      const auto now = importer.find(organization, id);
      CHECK(now.rowsRead == now.imported + now.skipped);
      CHECK(database.sql().number("SELECT count(*) FROM contact") == now.imported);
      CHECK(database.drifted() == 0);
    }
    CHECK(workers > 2);
    CHECK(counts(importer.find(organization, id)) == "20500 rows: 20000 imported, 0 updated, 500 skipped, 0 failed");
    CHECK(staged_chunks(database) == 0);
  }

  TEST_CASE("who lost the lease, or comes twice with the same rows, changes nothing") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    auto& store = importer.store;
    const auto organization = model::new_uuid();
    const auto id = importer.stage(organization, numbered_file(3));
    auto slow = loop.run(store.claim(model::new_uuid())).value();
    CHECK(slow.id == id);
    CHECK_FALSE(loop.run(store.claim(model::new_uuid())));  // it is taken
    database.sql().rows("UPDATE import SET lease_until = now() - interval '1 second'");
    auto quick = loop.run(store.claim(model::new_uuid())).value();
    const auto rows_of = [](const Job& job) {
      imports::RowGatherer gatherer(job);
      imports::CsvReader reader(',');
      const std::string text = "Name,01711234567,,\n";
      reader.next(text, true);
      gatherer.take(reader);
      return gatherer.finish(static_cast<std::int64_t>(text.size()), 2);
    };
    CHECK(loop.run(store.apply(slow, rows_of(slow), false)) == Applied::lost);
    CHECK(database.sql().number("SELECT count(*) FROM contact") == 0);
    const auto again = quick;
    CHECK(loop.run(store.apply(quick, rows_of(quick), false)) == Applied::done);
    CHECK(quick.progress.imported == 1);
    auto twice = again;  // as if the answer to the COMMIT had been lost
    CHECK(loop.run(store.apply(twice, rows_of(twice), false)) == Applied::lost);
    loop.run(store.fail(slow, "not mine"));
    CHECK(importer.find(organization, id).status == Status::Running);
    CHECK(counts(importer.find(organization, id)) == "1 rows: 1 imported, 0 updated, 0 skipped, 0 failed");
    CHECK(database.drifted() == 0);
  }

  TEST_CASE("two replicas at many imports of several organizations: each row once, one organization's in order") {
    Database database;
    Loop loop(database.settings());
    Importer first(loop, database), second(loop, database);
    std::vector<std::pair<Uuid, Uuid>> staged;
    std::vector<Uuid> organizations;
    for (int o = 0; o < 4; ++o) {
      organizations.push_back(model::new_uuid());
      // Each overlaps the one before; the later one's names win.
      for (int i = 0; i < 3; ++i)
        staged.emplace_back(organizations.back(), first.stage(organizations.back(), numbered_file(1'500, i * 1'000),
                                                              {i == 2 ? OnConflict::update : OnConflict::skip}));
    }
    const Working working(loop, {&first, &second});
    for (std::size_t i = 0; i < staged.size(); ++i) {
      const auto import = first.finished(staged[i].first, staged[i].second);
      CHECK(import.status == Status::Finished);
      const char* wanted[] = {"1500 rows: 1500 imported, 0 updated, 0 skipped, 0 failed",
                              "1500 rows: 1000 imported, 0 updated, 500 skipped, 0 failed",
                              "1500 rows: 1000 imported, 500 updated, 0 skipped, 0 failed"};
      CHECK(counts(import) == wanted[i % 3]);
    }
    for (const auto& organization : organizations)
      CHECK(database.sql().number("SELECT count(*) FROM contact WHERE organization_id = $1", {organization.text()}) ==
            3'500);
    CHECK(database.drifted() == 0);
    CHECK(staged_chunks(database) == 0);
  }

  TEST_CASE("claims go round the organizations, each one's imports in their order, whoever claims") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    auto& store = importer.store;
    std::vector<Uuid> organizations;
    for (int i = 0; i < 3; ++i) organizations.push_back(model::new_uuid());
    std::map<Uuid, std::string> names;
    for (const char* name : {"a1", "a2", "a3", "b1", "b2", "c1"})
      names[importer.stage(organizations[static_cast<std::size_t>(name[0] - 'a')], numbered_file(10))] = name;
    // As a worker does a batch: of the last one, all rows are applied.
    const auto take_turn = [&](bool is_last) {
      auto job = loop.run(store.claim(model::new_uuid())).value();
      CHECK(job.attempts == 1);
      imports::RowGatherer gatherer(job);
      CHECK(loop.run(store.apply(job, gatherer.finish(job.progress.position + 1, 1), is_last)) == Applied::done);
      const auto name = names.at(job.id);
      if (is_last) return name + " ends";
      return name + (loop.run(store.give_way(job)) ? "" : " stays");
    };
    std::string order;
    for (int i = 0; i < 6; ++i) order += take_turn(false) + ", ";
    for (int i = 0; i < 6; ++i) order += take_turn(true) + ", ";
    CHECK(order ==
          "a1, b1, c1, a1, b1, c1, "
          "a1 ends, b1 ends, c1 ends, a2 ends, b2 ends, a3 ends, ");

    // Who is alone goes on; another one's import that somebody works on does not wait.
    names[importer.stage(organizations[0], numbered_file(10))] = "a4";
    names[importer.stage(organizations[0], numbered_file(10))] = "a5";
    names[importer.stage(organizations[1], numbered_file(10))] = "b3";
    const auto working = loop.run(store.claim(model::new_uuid())).value();
    CHECK(names.at(working.id) == "b3");  // a had the last turn
    CHECK(take_turn(false) == "a4 stays");
    // Who died counts on, and the organization waits for its turn as others do.
    database.sql().rows("UPDATE import SET lease_until = now() - interval '1 second'");
    const auto again = loop.run(store.claim(model::new_uuid())).value();
    CHECK(again.id == working.id);
    CHECK(again.attempts == 2);
    CHECK_FALSE(loop.run(store.give_way(working)));  // it is another's
    CHECK(loop.run(store.give_way(again)));
  }

  TEST_CASE("a short import is worked off while other organizations' long ones are, after a few of their batches") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    // How many rows of all the others had been read when an import came to a status.
    database.sql().rows("CREATE TABLE seen (import_id uuid, status text, rows_read bigint)");
    database.sql().rows(
        "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen SELECT NEW.id, "
        "NEW.status, sum(rows_read) FROM import WHERE id <> NEW.id; RETURN NULL; END $$");
    database.sql().rows(
        "CREATE TRIGGER see AFTER UPDATE ON import FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION "
        "see()");
    constexpr int kRows = 60'000;
    std::vector<std::pair<Uuid, Uuid>> large;
    for (int i = 0; i < 2; ++i) {
      const auto organization = model::new_uuid();
      large.emplace_back(organization, importer.stage(organization, numbered_file(kRows)));
      importer.stage(organization, numbered_file(kRows));  // more of it waits
    }
    Working working(loop, {&importer});
    const auto rows_read = [&](std::size_t i) { return importer.find(large[i].first, large[i].second).rowsRead; };
    loop.until([&] { return rows_read(0) > 0 && rows_read(1) > 0; });

    const auto organization = model::new_uuid();
    const auto id = importer.stage(organization, numbered_file(1));
    CHECK(importer.finished(organization, id).status == Status::Finished);
    const auto seen = [&](const char* status) {
      return database.sql().number("SELECT rows_read FROM seen WHERE import_id = $1 AND status = $2",
                                   {id.text(), status});
    };
    CHECK(seen("Finished") - seen("Queued") <= 10'000);  // five batches
    CHECK(seen("Finished") < 2 * kRows);
    // And these go on, all three at a time.
    loop.until([&] { return rows_read(0) + rows_read(1) > seen("Finished"); });
    working.stop();
    CHECK(database.sql().number("SELECT count(*) FROM import WHERE attempts > 0") == 0);
    CHECK(database.drifted() == 0);
  }

  TEST_CASE("an import that fails again and again is given up, the others go on") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    const auto id = importer.stage(organization, numbered_file(10));
    database.sql().rows("UPDATE import SET attempts = 20");
    const Working working(loop, {&importer});
    const auto import = importer.finished(organization, id);
    CHECK(import.status == Status::Failed);
    CHECK(import.failure.find("line 1") != std::string::npos);
  }
}
