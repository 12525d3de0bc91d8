// Imports: staged, worked off in batches by whoever holds the lease, each row once.
#include "contacts/imports/worker.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
namespace imports = parley::contacts::imports;
using imports::Applied;
using imports::Import;
using imports::Job;
using imports::OnConflict;
using imports::Status;

namespace {

struct Options {
  OnConflict on_conflict = OnConflict::skip;
  std::optional<Uuid> list_id{};
  std::string country = "DE";
};

// One process of the service, as far as imports go.
struct Importer {
  Importer(Loop& loop_, const Database& database) : loop(loop_), pool(loop_.context(), patient(database.settings())) {
    pool.start();
    loop.until([this] { return pool.available(); });
  }

  // Stages a file whose columns are name, phone, tags and city, without a header; gives the import's id.
  Uuid stage(const Uuid& organization, const std::string& file, const Options& options = {}) {
    imports::NewImport import{
        .list_id = options.list_id, .on_conflict = options.on_conflict, .country = options.country};
    for (const char* target : {"name", "phone", "tags", "attributes.city"})
      import.columns.push_back(imports::column_of(target, target));
    return loop.run(stage_all(organization, std::move(import), file));
  }
  awaitable<Uuid> stage_all(Uuid organization, imports::NewImport import, const std::string& file) {
    const auto id = co_await store.open(organization, std::move(import));
    const auto chunk = static_cast<std::size_t>(imports::kChunkOctets);
    for (std::size_t at = 0; at < file.size(); at += chunk)
      co_await store.stage(organization, id, static_cast<std::int64_t>(at / chunk),
                           std::string_view(file).substr(at, chunk));
    auto transaction = co_await pool.begin();
    co_await store.enqueue(transaction, organization, id);
    co_await transaction.commit();
    co_return id;
  }
  Import find(const Uuid& organization, const Uuid& id) { return loop.run(store.find(organization, id)).value(); }
  Import finished(const Uuid& organization, const Uuid& id) {
    loop.until([&] {
      const auto status = find(organization, id).status;
      return status != Status::Queued && status != Status::Running;
    });
    return find(organization, id);
  }
  void work() {
    loop.launch(worker.run(0));
    loop.launch(worker.run(1));
  }

  Loop& loop;
  pg::Pool pool;
  imports::Store store{pool};
  imports::Worker worker{loop.context(), store, [](std::string_view, bool) {}};
};

// Ends the workers before what they work with.
struct Working {
  Working(Loop& loop_, std::vector<Importer*> importers_) : loop(loop_), importers(std::move(importers_)) {
    for (auto* importer : importers) importer->work();
  }
  ~Working() { stop(); }
  void stop() {
    for (auto* importer : importers) loop.launch(importer->worker.stop());
    loop.finish();
  }
  Loop& loop;
  std::vector<Importer*> importers;
};

std::string numbered_file(int rows, int first = 0) {
  std::string out;
  for (int i = first; i < first + rows; ++i) {
    char line[64];
    std::snprintf(line, sizeof line, "Name %d,0171%07d,,Town %d\n", i, i, i % 7);
    out += line;
  }
  return out;
}

std::string counts(const Import& import) {
  return std::to_string(import.rowsRead) + " rows: " + std::to_string(import.imported) + " imported, " +
         std::to_string(import.updated) + " updated, " + std::to_string(import.skipped) + " skipped, " +
         std::to_string(import.failed) + " failed";
}

// "name phone {attributes} [tags]" of each contact, by phone.
std::vector<std::string> contacts_of(Database& database, const Uuid& organization) {
  return database.sql().column(
      "SELECT concat_ws(' ', name, phone, attributes, ARRAY(SELECT t.label FROM contact_tag x JOIN tag t ON "
      "t.organization_id = x.organization_id AND t.id = x.tag_id WHERE x.organization_id = c.organization_id AND "
      "x.contact_id = c.id ORDER BY t.label)) FROM contact c WHERE organization_id = $1 ORDER BY phone",
      {organization.text()});
}

// "status:rows that were read" of each event of an import, in order; progress in brackets.
std::string told(Database& database, const Uuid& import) {
  return database.sql().value(
      "SELECT string_agg(CASE c ->> 'type' WHEN 'import.progress' THEN '(' || (c ->> 'status') || ')' ELSE "
      "concat_ws(':', c "
      "->> 'status', c ->> 'rowsRead', nullif(c ->> 'failure', '')) END, ' ' ORDER BY o.id, n) FROM outbox o, "
      "jsonb_array_elements(changes) WITH ORDINALITY AS e (c, n) WHERE c ->> 'importId' = $1 AND c ->> 'type' LIKE "
      "'import.%'",
      {import.text()});
}

std::int64_t staged_chunks(Database& database) { return database.sql().number("SELECT count(*) FROM import_chunk"); }

}  // namespace

TEST_SUITE("integration: imports") {
  TEST_CASE("a file is worked off: contacts, tags, a list, counts, errors") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    const auto known = database.add_contact(organization, "Known", "+491711111111");
    const auto list = database.add_list(organization, "list");
    const auto id = importer.stage(organization,
                                   "Ann,0171 2222222,a|B,Paris\r\n"
                                   "Twice,0171 2222222,c,Rome\r\n"
                                   "\"Other\nname\",01711111111,d,Bonn\r\n"
                                   "bad,12,,\r\n"
                                   ",+33612345678,b,\r\n",
                                   {OnConflict::skip, list});
    const auto before = importer.find(organization, id);
    CHECK(before.status == Status::Queued);
    CHECK(before.percent == 0);

    const Working working(loop, {&importer});
    const auto import = importer.finished(organization, id);
    CHECK(import.status == Status::Finished);
    CHECK(counts(import) == "5 rows: 2 imported, 0 updated, 2 skipped, 1 failed");
    CHECK(import.percent == 100);
    CHECK(import.finishedAt);
    CHECK(import.errors.text == R"([{"line": 5, "column": "phone", "detail": "\"12\" is no telephone number: )"
                                R"(+49 is followed by 4 to 13 digits, not 2"}])");
    CHECK(contacts_of(database, organization) ==
          std::vector<std::string>{" +33612345678 {} {B}", "Known +491711111111 {} {}",
                                   "Ann +491712222222 {\"city\": \"Paris\"} {B,a}"});
    CHECK(database.sql().number("SELECT count(*) FROM membership WHERE list_id = $1", {list.text()}) == 3);
    CHECK(database.sql().value("SELECT name FROM contact WHERE id = $1", {known.text()}) == "Known");
    CHECK(staged_chunks(database) == 0);
    CHECK(told(database, id) == "Queued:0 Finished:5");
    CHECK(database.sql().number("SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c ->> 'type' = "
                                "'contact.created' AND c ->> 'importId' = $1",
                                {id.text()}) == 1);
    CHECK(database.drifted() == 0);
  }

  TEST_CASE("update merges into who is there, and rows of one phone into each other") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    database.add_contact(organization, "Known", "+491711111111", "OptedOut", R"({"city":"Bonn","vip":true})");
    database.add_contact(organization, "Full", "+491713333333", "Active",
                         R"({"a":")" + std::string(imports::kMaxAttributes - 10, 'x') + "\"}");
    const auto id = importer.stage(organization,
                                   "New name,0171 1111111,a,Rome\n"
                                   ",0171 1111111,b,\n"
                                   "Ann,0171 2222222,,Paris\n"
                                   "Anne,0171 2222222,c,\n"
                                   "Too much,0171 3333333,d,Paris\n",
                                   {OnConflict::update});
    const Working working(loop, {&importer});
    const auto import = importer.finished(organization, id);
    CHECK(import.status == Status::Finished);
    CHECK(counts(import) == "5 rows: 1 imported, 3 updated, 0 skipped, 1 failed");
    CHECK(import.errors.text.find("longer than 16 KiB") != std::string::npos);
    const auto found = contacts_of(database, organization);
    REQUIRE(found.size() == 3);
    CHECK(found[0] == R"(New name +491711111111 {"vip": true, "city": "Rome"} {a,b})");
    CHECK(found[1] == R"(Anne +491712222222 {"city": "Paris"} {c})");
    CHECK(found[2].starts_with("Full "));
    CHECK(database.sql().value("SELECT status FROM contact WHERE phone = '+491711111111'") == "OptedOut");
    CHECK(database.drifted() == 0);
  }

  TEST_CASE("failed rows: all are kept in the order of the file, in chunks, until they are old or too much") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const Working working(loop, {&importer});
    const auto organization = model::new_uuid();
    database.add_contact(organization, "Full", "+491713333333", "Active",
                         R"({"a":")" + std::string(imports::kMaxAttributes - 10, 'x') + "\"}");
    std::string file = "First,0171 3333333,,Paris\nSecond,0171 3333333,,Rome\n";
    for (int i = 0; i < 5'000; ++i) file += "Bad " + std::to_string(i) + ",12,,Town\n";
    const auto id = importer.stage(organization, file, {OnConflict::update});
    const auto import = importer.finished(organization, id);
    CHECK(import.failed == 5'002);
    CHECK(import.failedKept == 5'002);
    const auto kept = [&](const Uuid& of) {
      std::vector<imports::FailedRow> out;
      for (std::int64_t after = 0, before = -1; std::exchange(before, after) != after;)
        for (auto& row : loop.run(importer.store.failed_rows(of, id, after))) out.push_back(std::move(row));
      return out;
    };
    const auto rows = kept(organization);
    REQUIRE(rows.size() == 5'002);
    CHECK(std::ranges::is_sorted(rows, {}, &imports::FailedRow::line));
    CHECK(rows[0].fields == std::vector<std::string>{"First", "0171 3333333", "", "Paris"});
    CHECK(rows[1].fields[0] == "Second");
    CHECK(rows[0].reason == rows[1].reason);
    CHECK(rows.back().line == 5'002);
    CHECK(rows.back().fields[0] == "Bad 4999");
    CHECK(database.sql().number("SELECT count(*) FROM import_failed") > 2);
    CHECK(kept(model::new_uuid()).empty());

    const auto sweep = [&] {
      while (loop.run(importer.store.sweep())) {
      }
      return importer.find(organization, id).failedKept;
    };
    CHECK(sweep() == 5'002);
    database.sql().rows("UPDATE import SET failed_octets = " + std::to_string(imports::kMaxFailedOfOrganization + 1));
    CHECK(sweep() == 0);
    CHECK(kept(organization).empty());
    CHECK(importer.find(organization, id).failed == 5'002);
    importer.finished(organization, importer.stage(organization, "Bad,12,,\n"));
    CHECK(database.sql().number("SELECT count(*) FROM import_failed") == 1);
    database.sql().rows("UPDATE import SET finished_at = now() - interval '31 days'");
    sweep();
    CHECK(database.sql().number("SELECT count(*) FROM import_failed") == 0);
  }

  TEST_CASE("the same file again changes nothing but what it is told to") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const Working working(loop, {&importer});
    const auto organization = model::new_uuid();
    const auto file = numbered_file(5'000);
    const auto first = importer.stage(organization, file);
    CHECK(counts(importer.finished(organization, first)) == "5000 rows: 5000 imported, 0 updated, 0 skipped, 0 failed");
    const auto contacts = contacts_of(database, organization);
    const auto second = importer.stage(organization, file);
    CHECK(counts(importer.finished(organization, second)) ==
          "5000 rows: 0 imported, 0 updated, 5000 skipped, 0 failed");
    const auto third = importer.stage(organization, file, {OnConflict::update});
    CHECK(counts(importer.finished(organization, third)) == "5000 rows: 0 imported, 5000 updated, 0 skipped, 0 failed");
    CHECK(contacts_of(database, organization) == contacts);
    CHECK(database.drifted() == 0);
  }

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

  TEST_CASE("cancelled: what was applied stays, the rest never is") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    const auto id = importer.stage(organization, numbered_file(30'000));
    const Working working(loop, {&importer});
    loop.until([&] { return importer.find(organization, id).rowsRead > 0; });
    const auto cancel = [&] {
      return loop.run(transact(importer.pool, [&](pg::Transaction& transaction) {
        return importer.store.cancel(transaction, organization, id);
      }));
    };
    const auto cancelled = cancel().value();
    CHECK(cancelled.status == Status::Cancelled);
    CHECK(cancelled.rowsRead < 30'000);
    CHECK(cancelled.finishedAt);
    CHECK(cancel().value().finishedAt == cancelled.finishedAt);
    const auto heard = told(database, id);
    CHECK(heard.starts_with("Queued:0 (Running) "));
    CHECK(heard.ends_with(" Cancelled:" + std::to_string(cancelled.rowsRead)));
    while (loop.run(importer.store.sweep())) {
    }
    CHECK(staged_chunks(database) == 0);
    CHECK(counts(importer.find(organization, id)) == counts(cancelled));
    CHECK(database.sql().number("SELECT count(*) FROM contact") == cancelled.imported);
    CHECK(database.drifted() == 0);
  }

  TEST_CASE("a file that breaks off in a quote, a list that goes: Failed, and why; what came before stays") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    const auto broken_id =
        importer.stage(organization, numbered_file(10) + "\"open,01712345678,,\n" + numbered_file(10, 20));
    const auto list = database.add_list(organization, "list");
    const auto id = importer.stage(organization, numbered_file(10, 50), {.list_id = list});
    database.sql().rows("DELETE FROM list WHERE id = $1", {list.text()});

    const Working working(loop, {&importer});
    const auto broken = importer.finished(organization, broken_id);
    CHECK(broken.status == Status::Failed);
    CHECK(broken.failure.starts_with("line 11: a quote"));
    CHECK(counts(broken) == "10 rows: 10 imported, 0 updated, 0 skipped, 0 failed");
    const auto without = importer.finished(organization, id);
    CHECK(without.status == Status::Failed);
    CHECK(without.failure == "the list was deleted");
    CHECK(told(database, id) == "Queued:0 Failed:0:the list was deleted");
    CHECK(told(database, broken_id).starts_with("Queued:0 (Running) Failed:10:line 11"));
    CHECK(without.rowsRead == 0);
    CHECK(database.sql().number("SELECT count(*) FROM contact") == 10);
    CHECK(database.drifted() == 0);
  }

  TEST_CASE("uploads: given up they leave nothing, and cannot be gone on with; there are not too many") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    imports::NewImport import{.columns = {imports::column_of("phone", "phone")}};
    const auto refused = [&](awaitable<void> work) -> unsigned {
      try {
        loop.run(std::move(work));
      } catch (const http::Problem& problem) {
        return problem.status;
      }
      return 0;
    };
    const auto id = loop.run(importer.store.open(organization, import));
    loop.run(importer.store.stage(organization, id, 0, std::string(1000, 'x')));
    CHECK(importer.find(organization, id).status == Status::Uploading);
    CHECK_FALSE(loop.run(importer.store.find(model::new_uuid(), id)));  // another's
    loop.run(importer.store.discard(organization, id));
    CHECK_FALSE(loop.run(importer.store.find(organization, id)));
    CHECK(refused(importer.store.stage(organization, id, 1, "y")) == 409);
    while (loop.run(importer.store.sweep())) {
    }
    CHECK(staged_chunks(database) == 0);
    CHECK(database.sql().number("SELECT count(*) FROM import") == 0);

    import.list_id = database.add_list(model::new_uuid(), "another organization's");
    try {
      loop.run(importer.store.open(organization, import));
      FAIL("the list is another's");
    } catch (const http::Problem& problem) {
      CHECK(problem.status == 400);
      CHECK(problem.errors.at(0).pointer == "?list_id");
    }
    import.list_id.reset();
    for (int i = 0; i < 20; ++i) loop.run(importer.store.open(organization, import));
    const auto open_one = [&]() -> awaitable<void> { co_await importer.store.open(organization, import); };
    CHECK(refused(open_one()) == 409);
    loop.run(importer.store.open(model::new_uuid(), import));
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

  TEST_CASE("pages of imports") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    std::vector<Uuid> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(importer.stage(organization, numbered_file(1)));
    importer.stage(model::new_uuid(), numbered_file(1));
    const auto page = [&](imports::Filter filter) {
      filter.paging.per_page = 2;
      std::string out;
      const auto found = loop.run(importer.store.list(organization, filter));
      for (const auto& import : found.imports)
        out += std::to_string(std::find(ids.begin(), ids.end(), import.uniqueId) - ids.begin()) + " ";
      return out + "of " + std::to_string(found.total);
    };
    CHECK(page({}) == "4 3 of 5");
    CHECK(page({.after = ids[3]}) == "2 1 of 5");
    CHECK(page({.paging = {.skip = 4}}) == "0 of 5");
    CHECK(page({.descending = false}) == "0 1 of 5");
    CHECK(page({.descending = false, .after = ids[3]}) == "4 of 5");
    CHECK(page({.status = Status::Finished}) == "of 0");
    CHECK(page({.status = Status::Queued, .after = ids[1]}) == "0 of 5");
  }
}
