// Runs common/pg/sql.cmake as the build does.

#include <doctest/doctest.h>
#include <stdio.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

class Generator {
 public:
  Generator() : folder_(fs::temp_directory_path() / ("parley-sql-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sql");
  }
  ~Generator() { fs::remove_all(folder_); }

  void file(const std::string& name, const std::string& text) { std::ofstream(folder_ / "sql" / name) << text; }

  // "" when it succeeded, else what it said.
  std::string run(const std::string& kind = "statements", const std::string& options = "") {
    const std::string command = "cmake -D KIND=" + kind +
                                " -D NAMESPACE=parley::unit::things::sql -D FOLDER=" + (folder_ / "sql").string() +
                                " -D INCLUDE=unit/things/sql.hpp -D OUT=" + (folder_ / "out").string() + options +
                                " -P " PARLEY_SOURCE_DIR "/common/pg/sql.cmake 2>&1";
    FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe);
    std::string output;
    char buffer[512];
    while (const auto got = ::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, got);
    return ::pclose(pipe) == 0 ? "" : output.empty() ? "failed" : output;
  }
  std::string folder() const { return folder_.string(); }
  std::string output(const std::string& extension) {
    std::ifstream in(folder_ / ("out" + extension));
    return std::string((std::istreambuf_iterator<char>(in)), {});
  }

 private:
  fs::path folder_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("pg: .sql files become statements and variants") {
  Generator generator;
  generator.file(
      "find.sql",
      "-- read(organization_id uuid, ids uuid[])\nSELECT ';' AS a, \"b\\\" FROM t\n WHERE o=$1 AND i=ANY($2);\n");
  generator.file(
      "page.sql",
      "-- slow(flag bool)\nSELECT 1 /*if more*/+ 1/*end*/ WHERE $1 /*if down*/ - 1/*end*//*if more*/+ 1/*end*/\n");
  generator.file("none.sql", "-- write()\nDELETE FROM t[1]\n");
  generator.file("long.sql", "-- write(a text,\n--       b int8)  wrapped\nSELECT $1, $2\n");
  REQUIRE(generator.run() == "");
  const auto header = generator.output(".hpp");
  CHECK(contains(header, "extern const parley::pg::Statement find;"));
  CHECK(contains(header, "#include \"common/pg/variants.hpp\""));
  CHECK(contains(header,
                 "struct page_parts {\n  bool down = false;\n  bool more = false;\n};\n"
                 "extern const parley::pg::Variants<page_parts> page;"));
  const auto source = generator.output(".cpp");
  CHECK(contains(source, "Statement find(\"unit.things.find\""));
  CHECK(contains(source, "SELECT ';' AS a, \"b\\\" FROM t\n WHERE o=$1 AND i=ANY($2))sql\""));
  const std::string at_connect = "parley::pg::Statement::Kind::listed, ";
  CHECK(contains(source, "Lane::read, {parley::pg::oid::uuid, parley::pg::oid::uuid_array}, " + at_connect + "true)"));
  CHECK(contains(source, "Lane::slow, {parley::pg::oid::boolean}, false)"));
  CHECK(contains(source, "DELETE FROM t[1])sql\""));
  CHECK(contains(source, "Lane::write, {}, " + at_connect + "false)"));
  CHECK(contains(source, "{parley::pg::oid::text, parley::pg::oid::int8}"));
}

TEST_CASE("pg: sections of queries.sql become statements as files do") {
  Generator generator;
  generator.file("queries.sql",
                 "-- name: find read(organization_id uuid, ids uuid[])\n-- Why; [so\nSELECT ';]' AS a, \"b\\\" FROM t\n"
                 " WHERE o=$1 AND i=ANY($2);\n\n"
                 "-- name: page slow(flag bool,\n--   more text)\nSELECT a[1/*if more*/ + 1/*end*/] WHERE $1 AND $2\n"
                 "-- name: clear write()\nDELETE FROM t[1\n");
  generator.file("long.sql", "-- write(a text)\n-- name: none\nSELECT $1\n");
  REQUIRE(generator.run() == "");
  const auto header = generator.output(".hpp");
  CHECK(contains(header,
                 "Statement clear;\nextern const parley::pg::Statement find;\nextern const parley::pg::Statement "
                 "long;\nstruct page_parts {\n  bool more = false;\n};\n"
                 "extern const parley::pg::Variants<page_parts> page;\n}"));
  const auto source = generator.output(".cpp");
  CHECK(contains(source, "find(\"unit.things.find\""));
  CHECK(contains(source, "R\"sql(-- Why; [so\nSELECT ';]' AS a, \"b\\\" FROM t\n WHERE o=$1 AND i=ANY($2))sql\""));
  CHECK(contains(source, "Lane::read, {parley::pg::oid::uuid, parley::pg::oid::uuid_array}"));
  CHECK(contains(source, "R\"sql(SELECT a[1/*if more*/ + 1/*end*/] WHERE $1 AND $2)sql\""));
  CHECK(contains(source, "Lane::slow, {parley::pg::oid::boolean, parley::pg::oid::text}"));
  CHECK(contains(source, "R\"sql(DELETE FROM t[1)sql\""));
  CHECK(contains(source, "R\"sql(-- name: none\nSELECT $1)sql\""));
}

TEST_CASE("pg: a section with a fault stops the build, and is named with its file") {
  const std::string good = "-- name: good read()\nSELECT 1\n\n";
  const std::pair<std::string, const char*> bad[] = {
      {"SELECT 1\n" + good, "first line"},
      {"SELECT 1\n", "first line"},
      {"-- read()\nSELECT 1\n", "first line"},
      {good + "-- name: broken\nSELECT 1\n", "broken"},
      {good + "-- name: broken fast()\nSELECT 1\n", "broken"},
      {good + "-- name: broken read(a serial)\nSELECT $1\n", "broken"},
      {good + "-- name: broken read(a text)\nSELECT $1, $2\n", "broken"},
      {good + "-- name: broken read()\nSELECT /*include none*/\n", "none.fragment"},
      {good + "-- name: broken read()\nSELECT 1/*if No*/+ 1/*end*/\n", "snake_case"},
      {good + "-- name: Broken read()\nSELECT 1\n", "Broken"},
      {good + good, "good"},
  };
  for (const auto& [text, part] : bad) {
    Generator generator;
    generator.file("queries.sql", text);
    const auto said = generator.run();
    CHECK_MESSAGE((contains(said, "queries.sql") && contains(said, part)), text, ": ", said);
  }
  Generator generator;
  generator.file("good.sql", "-- read()\nSELECT 1\n");
  generator.file("queries.sql", good);
  const auto said = generator.run();
  CHECK_MESSAGE((contains(said, "queries.sql") && contains(said, "good.sql")), said);
}

TEST_CASE("pg: .sql files with a fault stop the build and are named") {
  const std::pair<const char*, const char*> bad[] = {
      {"no_header.sql", "SELECT 1\n"},
      {"bad_lane.sql", "-- fast()\nSELECT 1\n"},
      {"bad_type.sql", "-- read(a serial)\nSELECT $1\n"},
      {"bad_parameter.sql", "-- read(uuid)\nSELECT $1\n"},
      {"too_few.sql", "-- read(a text)\nSELECT $1, $2\n"},
      {"too_many.sql", "-- read(a text, b text)\nSELECT $1\n"},
      {"Bad-Name.sql", "-- read()\nSELECT 1\n"},
  };
  for (const auto& [name, text] : bad) {
    Generator generator;
    generator.file(name, text);
    const auto said = generator.run();
    CHECK_MESSAGE(contains(said, name), name, ": ", said);
  }
}

TEST_CASE("pg: tables, migrations and functions become a schema") {
  Generator generator;
  generator.file("../tables.sql", "CREATE TABLE a (b text DEFAULT ';');\nCREATE TABLE c ();\n");
  generator.file("../functions.sql", "-- Version 12 of things\n\nCREATE OR REPLACE FUNCTION f() ..;\n");
  generator.file("0008_second.sql", std::string(40'000, 'x'));
  const std::string options =
      " -D ROOT=" + generator.folder() +
      " -D VERSION=7 -D REPLACES=abc -D TABLES=tables.sql,tables.sql -D FUNCTIONS=functions.sql";
  REQUIRE(generator.run("schema", options) == "");
  const auto source = generator.output(".cpp");
  CHECK(contains(source, "{7, \"0007_schema\""));
  CHECK(contains(source, "CREATE TABLE c ();\n\n-- tables.sql\n\nCREATE TABLE a (b text DEFAULT ';');\n"));
  CHECK(contains(source, ")sql\"\n, \"abc\"}"));
  CHECK(contains(source, "{8, \"0008_second.sql\""));
  CHECK(contains(source, "{\"things\", 12,"));
  generator.file("../functions.sql", "CREATE OR REPLACE FUNCTION f() ..;\n");
  CHECK(contains(generator.run("schema", options), "functions.sql: the first line must be '-- Version N of NAME'"));
  generator.file("../functions.sql", "-- Version 1 of things\n");
  generator.file("0010_fourth.sql", "SELECT 1;\n");
  CHECK(contains(generator.run("schema", options), "0010_fourth.sql"));
}
