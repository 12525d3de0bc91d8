// Every statement on a tenant's table names organization_id: read from the sources, so that none is forgotten.
#include <doctest/doctest.h>

#include <regex>

#include "tests/support/sql.hpp"
#include "tests/support/statements.hpp"
#include "tests/support/tenancy.hpp"

using namespace parley::support;

namespace {

// The tables that the services' schemas have.
std::set<std::string> tables() {
  static const std::regex made("(CREATE TABLE|DROP TABLE)( IF (NOT )?EXISTS)? ([a-z_]+)");
  std::set<std::string> out;
  auto files = files_below("services", std::regex("/(schema|migrations)/.*\\.sql$"));
  for (const auto& path : files_below("common", std::regex("^common/[a-z]+/[a-z_]+\\.sql$"))) files.push_back(path);
  for (const auto& path : files) {
    const auto text = source_text(path);
    for (std::sregex_iterator i(text.begin(), text.end(), made); i != std::sregex_iterator(); ++i)
      if ((*i)[1] == "CREATE TABLE")
        out.insert((*i)[4]);
      else
        out.erase((*i)[4]);
  }
  return out;
}

std::set<std::string> tenants_tables() {
  auto out = tables();
  for (const auto& [name, reason] : shared_tables()) out.erase(std::string(name));
  return out;
}

std::vector<std::string> untied(const std::string& sql) { return untied_tables(sql, {"contact", "list", "tag"}); }

}  // namespace

TEST_SUITE("unit: tenancy") {
  TEST_CASE("every statement on a tenant's table is for one organization, but for a closed list") {
    const auto all = tenants_tables();
    CHECK(all.contains("contact"));
    CHECK(all.contains("credential"));
    CHECK_FALSE(all.contains("person"));
    std::set<std::string> seen;
    for (const auto& [name, sql] : source_statements()) {
      const auto faults = untied_tables(sql, all);
      if (shared_statements().contains(name))
        seen.insert(name);
      else
        for (const auto& fault : faults) FAIL_CHECK(name << " is not tied to an organization by " << fault);
    }
    for (const auto& [name, reason] : shared_statements()) {
      INFO(name << " is in the list and is no statement");
      CHECK(seen.contains(std::string(name)));
    }
  }

  TEST_CASE("no statement on a tenant's table hides in a source file") {
    const auto all = tenants_tables();
    const std::regex sql("\"[a-z]*\\(?\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|TRUNCATE|COPY)\\s[^\"]*");
    for (const auto& folder : {"services", "common", "gateway"})
      for (const auto& path : files_below(folder, std::regex("\\.[ch]pp$"))) {
        const auto text = source_text(path);
        for (std::sregex_iterator i(text.begin(), text.end(), sql); i != std::sregex_iterator(); ++i)
          for (const auto& fault : untied_tables(i->str(), all)) FAIL_CHECK(path << " " << i->str() << ": " << fault);
      }
  }

  // Each schema may be on a server of its own.
  TEST_CASE("nothing names another service's schema, nor any schema at all") {
    const std::regex schema("\\b(contacts|conversations|organizations|analytics|public)\\.[a-z_]+\\b");
    const std::regex left_out("--[^\n]*|'[^']*'");
    for (const auto& folder : {"services", "common"})
      for (const auto& path : files_below(folder, std::regex("\\.(sql|fragment)$"))) {
        const auto text = std::regex_replace(source_text(path), left_out, "");
        std::smatch found;
        CHECK_MESSAGE(!std::regex_search(text, found, schema), path << ": " << found.str());
      }
  }

  TEST_CASE("a statement that is tied passes, one that is not is found") {
    const std::vector<std::string> good{
        "SELECT id FROM contact WHERE organization_id = $1",
        "SELECT id FROM contact c, list AS l WHERE c.organization_id = l.organization_id AND l.organization_id = $1",
        "SELECT id FROM contact c JOIN list l ON l.organization_id = $1 AND l.id = c.id WHERE c.organization_id = $1",
        "SELECT (SELECT label FROM tag t WHERE t.organization_id = $1) FROM contact c WHERE c.organization_id = $1",
        "INSERT INTO contact (organization_id, id) VALUES ($1, $2)",
        "INSERT INTO contact AS c (organization_id, id) SELECT $1, id FROM unnest($2) AS t(id) ON CONFLICT "
        "(organization_id, id) DO UPDATE SET id = excluded.id",
        "DELETE FROM contact c USING list l WHERE l.organization_id = $1 AND c.organization_id = l.organization_id",
        "DELETE FROM contact WHERE (organization_id, id) IN (SELECT * FROM unnest($1, $2))",
        "UPDATE contact SET name = $3 WHERE id = $2 AND organization_id = $1",
        "WITH gone AS (DELETE FROM contact WHERE organization_id = $1 RETURNING id) SELECT count(*) FROM gone",
        "SELECT id FROM contact JOIN list USING (organization_id, id) WHERE organization_id = $1",
        "SELECT 1",
    };
    for (const auto& sql : good) {
      INFO(sql);
      CHECK_EQ(untied(sql), std::vector<std::string>{});
    }
    const std::vector<std::string> bad{
        "SELECT organization_id FROM contact WHERE id = $1",
        "SELECT id FROM contact c JOIN list l ON l.id = c.id WHERE c.organization_id = $1",
        "SELECT id FROM contact c, list l WHERE c.organization_id = l.organization_id",
        "SELECT id FROM contact WHERE organization_id = $1 AND id IN (SELECT id FROM list)",
        "INSERT INTO contact (id) VALUES ($1)",
        "INSERT INTO contact SELECT * FROM unnest($1)",
        "INSERT INTO contact (organization_id, id) SELECT $1, l.id FROM list l",
        "UPDATE contact SET name = $1 WHERE id = $2",
        "UPDATE contact SET organization_id = $1 FROM list l WHERE l.organization_id = $1",
        "DELETE FROM contact c USING list l WHERE c.organization_id = $1",
        "SELECT id FROM contact -- WHERE organization_id = $1",
        "TRUNCATE contact",
    };
    for (const auto& sql : bad) {
      INFO(sql);
      CHECK_FALSE(untied(sql).empty());
    }
  }
}

TEST_SUITE("unit: statements") {
  // The planner may run a joined subquery once for each row of the other side: one that skips what others hold then
  // locks other rows each time, beyond its LIMIT. A scalar subquery or a materialized CTE runs once.
  TEST_CASE("no statement joins a subquery that skips locked rows") {
    const std::regex joined("SKIP LOCKED\\s*\\)\\s*(AS\\s+)?[a-z_]");
    CHECK(std::regex_search("UPDATE t FROM (SELECT id FROM t LIMIT 1 FOR UPDATE SKIP LOCKED) free WHERE", joined));
    for (const auto& [name, sql] : source_statements()) CHECK_MESSAGE(!std::regex_search(sql, joined), name);
  }
}
