// Imports: what becomes of files, row by row.
#include <algorithm>
#include <utility>

#include "tests/integration/contacts_imports_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;

namespace {

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

  TEST_CASE(
      "many contacts of a new organization are known to the planner at once: it looks one up without reading all") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    database.sql().value("ALTER TABLE contact SET (autovacuum_enabled = false)");
    database.add_contact(model::new_uuid(), "Another one's", "+491711111111");
    database.sql().value("ANALYZE contact");
    const auto organization = model::new_uuid();
    std::string file;
    for (int n = 0; n < 3000; ++n) file += "Ann,+4915" + std::to_string(20'000'000 + n) + ",vip,Paris\r\n";
    const auto id = importer.stage(organization, file);
    const Working working(loop, {&importer});
    CHECK(importer.finished(organization, id).status == Status::Finished);
    const auto plan = database.sql().value("EXPLAIN SELECT * FROM contact WHERE organization_id = '" +
                                           organization.text() + "' AND phone = '+4915'");
    CHECK_MESSAGE(plan.find("contact_phone") != std::string::npos, plan);
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

  TEST_CASE("pages of imports") {
    Database database;
    Loop loop(database.settings());
    Importer importer(loop, database);
    const auto organization = model::new_uuid();
    std::vector<Uuid> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(importer.stage(organization, numbered_file(1)));
    importer.stage(model::new_uuid(), numbered_file(1));
    const auto page = [&](http::CreationFilter filter, std::optional<Status> status = {}) {
      filter.paging.per_page = 2;
      std::string out;
      const auto found = loop.run(importer.store.list(organization, {filter, status}));
      for (const auto& import : found.imports)
        out += std::to_string(std::find(ids.begin(), ids.end(), import.uniqueId) - ids.begin()) + " ";
      return out + "of " + std::to_string(found.total);
    };
    CHECK(page({}) == "4 3 of 5");
    CHECK(page({.after = ids[3]}) == "2 1 of 5");
    CHECK(page({.paging = {.skip = 4}}) == "0 of 5");
    CHECK(page({.descending = false}) == "0 1 of 5");
    CHECK(page({.descending = false, .after = ids[3]}) == "4 of 5");
    CHECK(page({}, Status::Finished) == "of 0");
    CHECK(page({.after = ids[1]}, Status::Queued) == "0 of 5");
  }
}
