#include "common/removals/tables.hpp"

#include <doctest/doctest.h>

#include "tests/support/tenancy.hpp"

using namespace parley;

TEST_CASE("removals: each table has a statement that removes so many rows of one organization") {
  static const removals::Tables tables("unit.deletions", {{"lists", "list"}, {"tag"}, {"of_tag", "contact", "tag_id"}});
  static const pg::Statement last("unit.last", "SELECT 1", pg::Lane::write, {});
  const auto steps = tables.steps({&last});
  REQUIRE(steps.size() == 4);
  CHECK(steps[3].statement == &last);
  const auto& lists = *steps[0].statement;
  CHECK(lists.name == "unit.deletions.lists");
  CHECK(lists.sql ==
        "DELETE FROM list\nWHERE organization_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM list WHERE "
        "organization_id = $1 LIMIT $3))");
  CHECK(lists.lane == pg::Lane::write);
  CHECK(lists.types == std::vector<Oid>{pg::oid::uuid, pg::oid::uuid, pg::oid::int8});
  CHECK(lists.kind == pg::Statement::Kind::listed);
  CHECK(lists.of_organization);
  CHECK(steps[1].statement->sql.starts_with("DELETE FROM tag\n"));
  CHECK(steps[2].statement->sql.ends_with("FROM contact WHERE organization_id = $1 AND tag_id = $2 LIMIT $3))"));
  for (const auto& step : steps)
    CHECK(support::untied_tables(step.statement->sql, {"list", "tag", "contact"}) == std::vector<std::string>{});
}
