// What PostgreSQL knows after all migrations: a tenant's table has organization_id first in every key.
#include <doctest/doctest.h>

#include "tests/integration/new_database.hpp"
#include "tests/support/sql.hpp"
#include "tests/support/tenancy.hpp"

using namespace parley;
using support::Sql;

namespace {

bool is_shared(const std::string& table) { return support::shared_tables().contains(table); }

// Tables and partitioned tables of ours; partitions have their parent's keys.
const std::string kTables =
    "SELECT c.relname FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition "
    "AND c.relnamespace = 'public'::regnamespace ORDER BY 1";

// table, index, first column ("" where it is an expression), whether it is the primary key
const std::string kUnique =
    "SELECT t.relname, i.relname, coalesce(a.attname, ''), x.indisprimary FROM pg_index x "
    "JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid "
    "LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0] "
    "WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace ORDER BY 1, 2";

// table, constraint, first column, table that is led to, its first column
const std::string kForeign =
    "SELECT t.relname, k.conname, a.attname, f.relname, b.attname FROM pg_constraint k "
    "JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid "
    "JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1] "
    "JOIN pg_attribute b ON b.attrelid = f.oid AND b.attnum = k.confkey[1] "
    "WHERE k.contype = 'f' AND t.relnamespace = 'public'::regnamespace ORDER BY 1, 2";

}  // namespace

TEST_SUITE("integration: tenancy") {
  TEST_CASE("organization_id is first in each primary key, unique index and foreign key of every tenant's table") {
    std::set<std::string> seen_tables, seen_references;
    for (const std::string service : {"contacts", "conversations", "organizations", "analytics"}) {
      CAPTURE(service);
      Sql sql(pg_tests::new_database(service));
      std::set<std::string> with_primary_key;
      for (const auto& index : sql.rows(kUnique)) {
        if (is_shared(index[0])) continue;
        CAPTURE(index[1]);
        CHECK_EQ(index[2], "organization_id");
        if (index[3] == "t") with_primary_key.insert(index[0]);
      }
      for (const auto& table : sql.column(kTables)) {
        seen_tables.insert(table);
        if (is_shared(table)) continue;
        CAPTURE(table);
        CHECK(with_primary_key.contains(table));
        CHECK_EQ(sql.value("SELECT atttypid::regtype || ' ' || attnotnull FROM pg_attribute WHERE attrelid = "
                           "$1::regclass AND attname = 'organization_id'",
                           {table}),
                 "uuid true");
      }
      for (const auto& key : sql.rows(kForeign)) {
        CAPTURE(key[1]);
        if (support::shared_references().contains(key[1])) {
          seen_references.insert(key[1]);
          CHECK_NE(is_shared(key[0]), is_shared(key[3]));
          continue;
        }
        if (is_shared(key[0])) {  // it may be on every server, and what it leads to then must be, too
          CHECK(is_shared(key[3]));
          continue;
        }
        CHECK_EQ(key[2], "organization_id");
        CHECK_EQ(key[4], "organization_id");
        CHECK_FALSE(is_shared(key[3]));
      }
    }
    // What is in the lists is there.
    for (const auto& [table, reason] : support::shared_tables()) {
      INFO(table);
      CHECK(seen_tables.contains(std::string(table)));
    }
    for (const auto& [constraint, reason] : support::shared_references()) {
      INFO(constraint);
      CHECK(seen_references.contains(std::string(constraint)));
    }
  }

  TEST_CASE("no function adds to the outbox: whoever commits would not know that there is something to tell") {
    for (const std::string service : {"contacts", "conversations", "organizations", "analytics"}) {
      CAPTURE(service);
      Sql sql(pg_tests::new_database(service));
      CHECK(sql.column("SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~* "
                       "'into +outbox'") == std::vector<std::string>{});
    }
  }
}
