#include "common/pg/statement.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>

using namespace parley;
using pg::Lane;

TEST_CASE("pg: a statement is in the catalogue under its number") {
  static const pg::Statement one("unit.one", "SELECT 1", Lane::read, {});
  static const pg::Statement two("unit.two", "SELECT $1", Lane::write, {pg::oid::int8});
  CHECK(two.id == one.id + 1);
  CHECK(pg::statements()[one.id] == &one);
  CHECK(pg::statements()[two.id] == &two);
  CHECK(one.prepared_name != two.prepared_name);
}

TEST_CASE("pg: variants are expanded into every combination") {
  static const pg::Variants page(
      "unit.page",
      "SELECT x FROM t/*if list*/ JOIN m USING (x)/*end*/ WHERE o=$1 ORDER BY x/*if down*/ DESC/*else*/ ASC/*end*/",
      Lane::read, {pg::oid::uuid});
  CHECK(page.parts() == std::vector<std::string>{"list", "down"});
  CHECK(page.all().size() == 4);
  CHECK(page[{}].sql == "SELECT x FROM t WHERE o=$1 ORDER BY x ASC");
  CHECK(page[{"list"}].sql == "SELECT x FROM t JOIN m USING (x) WHERE o=$1 ORDER BY x ASC");
  CHECK(page[{"down", "", "list"}].sql == "SELECT x FROM t JOIN m USING (x) WHERE o=$1 ORDER BY x DESC");
  CHECK(page[{"down"}].name == "unit.page+down");
  CHECK(page[{"down"}].prepare == pg::Statement::Prepare::at_first_use);
  CHECK_THROWS_AS(page[{"up"}], std::logic_error);
  std::set<std::string> texts;
  for (const auto* statement : page.all()) texts.insert(statement->sql);
  CHECK(texts.size() == 4);
}

TEST_CASE("pg: variants nest, and other comments stay") {
  static const pg::Variants nested("unit.nested",
                                   "a /* if */ /*if x*/b/*if y*/c/*else*/d/*end*/e/*else*/f/*if y*/g/*end*/h/*end*/ i",
                                   Lane::slow, {});
  CHECK(nested[{}].sql == "a /* if */ fh i");
  CHECK(nested[{"x"}].sql == "a /* if */ bde i");
  CHECK(nested[{"y"}].sql == "a /* if */ fgh i");
  CHECK(nested[{"x", "y"}].sql == "a /* if */ bce i");
}

TEST_CASE("pg: marks that do not match are refused") {
  for (const char* sql : {"a /*if x*/ b", "a /*end*/", "/*if x*/a/*else*/b/*else*/c/*end*/", "a /*else*/ b /*end*/"})
    CHECK_THROWS_AS(pg::Variants("unit.bad", sql, Lane::read, {}), std::logic_error);
  CHECK_THROWS_AS(
      pg::Variants("unit.many",
                   "/*if a*//*end*//*if b*//*end*//*if c*//*end*//*if d*//*end*//*if e*//*end*//*if f*//*end*/"
                   "/*if g*//*end*//*if h*//*end*//*if i*//*end*/",
                   Lane::read, {}),
      std::logic_error);
}
