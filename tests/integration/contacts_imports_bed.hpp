#pragma once
// Imports over the database of contacts: processes that stage files and work them off.
#include "contacts/imports/worker.hpp"
#include "tests/integration/contacts_bed.hpp"

namespace parley::contacts_tests {

namespace imports = contacts::imports;
using imports::Import;
using imports::OnConflict;
using imports::Status;

struct Options {
  OnConflict on_conflict = OnConflict::skip;
  std::optional<Uuid> list_id{};
  std::string country = "DE";
};

// One process of the service, as far as imports go.
struct Importer {
  Importer(Loop& loop_, const Database& database) : loop(loop_), pool(loop_.context(), patient(database.settings())) {
    pool.start();
    loop.until([this] { return pg_tests::is_connected(pool); });
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

inline std::string numbered_file(int rows, int first = 0) {
  std::string out;
  for (int i = first; i < first + rows; ++i) {
    char line[64];
    std::snprintf(line, sizeof line, "Name %d,0171%07d,,Town %d\n", i, i, i % 7);
    out += line;
  }
  return out;
}

inline std::string counts(const Import& import) {
  return std::to_string(import.rowsRead) + " rows: " + std::to_string(import.imported) + " imported, " +
         std::to_string(import.updated) + " updated, " + std::to_string(import.skipped) + " skipped, " +
         std::to_string(import.failed) + " failed";
}

// "name phone {attributes} [tags]" of each contact, by phone.
inline std::vector<std::string> contacts_of(Database& database, const Uuid& organization) {
  return database.sql().column(
      "SELECT concat_ws(' ', name, phone, attributes, ARRAY(SELECT t.label FROM contact_tag x JOIN tag t ON "
      "t.organization_id = x.organization_id AND t.id = x.tag_id WHERE x.organization_id = c.organization_id AND "
      "x.contact_id = c.id ORDER BY t.label)) FROM contact c WHERE organization_id = $1 ORDER BY phone",
      {organization.text()});
}

// "status:rows that were read" of each event of an import, in order; progress in brackets.
inline std::string told(Database& database, const Uuid& import) {
  return database.sql().value(
      "SELECT string_agg(CASE c ->> 'type' WHEN 'import.progress' THEN '(' || (c ->> 'status') || ')' ELSE "
      "concat_ws(':', c "
      "->> 'status', c ->> 'rowsRead', nullif(c ->> 'failure', '')) END, ' ' ORDER BY o.id, n) FROM outbox o, "
      "jsonb_array_elements(changes) WITH ORDINALITY AS e (c, n) WHERE c ->> 'importId' = $1 AND c ->> 'type' LIKE "
      "'import.%'",
      {import.text()});
}

}  // namespace parley::contacts_tests
