#include "common/pg/variants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

using namespace parley;
using pg::Lane;

TEST_CASE("pg: a statement is in the catalogue and has a number") {
  static const pg::Statement one("unit.one", "SELECT 1", Lane::read, {});
  static const pg::Statement two("unit.two", "SELECT $1", Lane::write, {pg::oid::int8});
  CHECK(two.id == one.id + 1);
  CHECK(std::ranges::count(pg::statements(), &one) == 1);
  CHECK(std::ranges::count(pg::statements(), &two) == 1);
  CHECK(pg::statement_count() > two.id);
  CHECK(one.prepared_name != two.prepared_name);
}

TEST_CASE("pg: variants are expanded into every combination") {
  struct Parts {
    bool down = false, list = false;
  };
  static const pg::Variants<Parts> page(
      "unit.page",
      "SELECT x FROM t/*if list*/ JOIN m USING (x)/*end*/ WHERE o=$1 ORDER BY x/*if down*/ DESC/*else*/ ASC/*end*/",
      Lane::read, {pg::oid::uuid});
  CHECK(page.parts() == std::vector<std::string>{"down", "list"});
  const auto before = pg::statement_count();
  CHECK(&page[{}] == &page[{}]);
  CHECK(pg::statement_count() == before + 1);  // only what was used
  CHECK(page.all().size() == 4);
  CHECK(page[{}].sql == "SELECT x FROM t WHERE o=$1 ORDER BY x ASC");
  CHECK(page[{.list = true}].sql == "SELECT x FROM t JOIN m USING (x) WHERE o=$1 ORDER BY x ASC");
  CHECK(page[{.down = true, .list = true}].sql == "SELECT x FROM t JOIN m USING (x) WHERE o=$1 ORDER BY x DESC");
  CHECK(page[{.down = true}].name == "unit.page+down");
  CHECK(page[{.down = true}].kind == pg::Statement::Kind::unlisted);
  CHECK(page[{.down = true, .list = true}].name == "unit.page+list+down");
  std::set<std::string> texts;
  for (const auto* statement : page.all()) texts.insert(statement->sql);
  CHECK(texts.size() == 4);
}

TEST_CASE("pg: variants nest, and other comments stay") {
  struct Parts {
    bool x = false, y = false;
  };
  static const pg::Variants<Parts> nested(
      "unit.nested", "a /* if */ /*if x*/b/*if y*/c/*else*/d/*end*/e/*else*/f/*if y*/g/*end*/h/*end*/ i", Lane::slow,
      {});
  CHECK(nested[{}].sql == "a /* if */ fh i");
  CHECK(nested[{.x = true}].sql == "a /* if */ bde i");
  CHECK(nested[{.y = true}].sql == "a /* if */ fgh i");
  CHECK(nested[{.x = true, .y = true}].sql == "a /* if */ bce i");
}

TEST_CASE("pg: marks that do not match each other, or the struct of the parts, are refused") {
  struct One {
    bool x = false;
  };
  struct Two {
    bool x = false, y = false;
  };
  struct Eleven {
    bool a, b, c, d, e, f, g, h, i, j, k;
  };
  CHECK_THROWS_AS(pg::Variants<Two>("unit.bad", "/*if x*/a/*end*/", Lane::read, {}), std::logic_error);
  for (const char* sql : {"a /*if x*/ b", "a /*end*/", "/*if x*/a/*else*/b/*else*/c/*end*/", "a /*else*/ b /*end*/"})
    CHECK_THROWS_AS(pg::Variants<One>("unit.bad", sql, Lane::read, {}), std::logic_error);
  CHECK_THROWS_AS(
      pg::Variants<Eleven>("unit.many",
                           "/*if a*//*end*//*if b*//*end*//*if c*//*end*//*if d*//*end*//*if e*//*end*//*if f*//*end*/"
                           "/*if g*//*end*//*if h*//*end*//*if i*//*end*//*if j*//*end*//*if k*//*end*/",
                           Lane::read, {}),
      std::logic_error);
}
