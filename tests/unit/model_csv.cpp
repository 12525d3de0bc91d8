// Cells of CSV: what spreadsheets would take for formulas is guarded, and comes back as it was.
#include <doctest/doctest.h>

#include <random>

#include "common/model/csv.hpp"

using namespace parley::model;

namespace {

std::string cell_of(std::string_view text, CsvCells cells) {
  std::string out;
  append_csv_cell(out, text, cells);
  return out;
}

// As whoever reads the file has it.
std::string read(std::string_view cell) {
  if (!cell.starts_with('"')) return std::string(cell);
  std::string out;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    out += cell[i];
    if (cell[i] == '"') ++i;
  }
  return out;
}

}  // namespace

TEST_CASE("csv: quotation marks where a cell needs them") {
  for (const auto cells : {CsvCells::guarded, CsvCells::raw}) {
    CHECK_EQ(cell_of("", cells), "");
    CHECK_EQ(cell_of("Ada Lovelace", cells), "Ada Lovelace");
    CHECK_EQ(cell_of("a,b", cells), "\"a,b\"");
    CHECK_EQ(cell_of("a \"b\"", cells), "\"a \"\"b\"\"\"");
    CHECK_EQ(cell_of("a\nb", cells), "\"a\nb\"");
  }
}

TEST_CASE("csv: what would be a formula has an apostrophe in front, numbers have none") {
  for (const std::string formula : {"=1+1", "+1+1", "-1+1", "@SUM(A1)", "\tx", "=", "+", "-", "--1", "+-1", "-1e5",
                                    "+49 170", "-1.", "-.5", "+1.2.3", "-2+3+cmd|' /C calc'!A0"}) {
    CAPTURE(formula);
    CHECK_EQ(cell_of(formula, CsvCells::guarded), "'" + formula);
    CHECK_EQ(cell_of(formula, CsvCells::raw), formula);
  }
  CHECK_EQ(cell_of("=HYPERLINK(\"x\",\"y\")", CsvCells::guarded), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
  CHECK_EQ(cell_of("\r=1", CsvCells::guarded), "\"'\r=1\"");
  for (const std::string plain : {"-5", "+5", "+491701234567", "-0.5", "+1,5", "12", "a=b", " =1", "'", "'a", "''5"}) {
    CAPTURE(plain);
    CHECK_EQ(read(cell_of(plain, CsvCells::guarded)), plain);
  }
  CHECK_EQ(cell_of("'=1", CsvCells::guarded), "''=1");  // or it would come back without its own
  CHECK_EQ(cell_of("''-5", CsvCells::guarded), "'''-5");
}

TEST_CASE("csv: any text comes back as it was, and guarded ones are no formulas") {
  constexpr std::string_view alphabet = "''==+-@\t\r\n\",.019a ";
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (auto length = random() % 7; length > 0; --length) text += alphabet[random() % alphabet.size()];
    for (const auto cells : {CsvCells::guarded, CsvCells::raw}) {
      const auto cell = read(cell_of(text, cells));
      const bool is_number = text.find_first_not_of("+-.,0123456789") == text.npos;
      if (cells == CsvCells::guarded && !is_number)
        REQUIRE_MESSAGE((cell.empty() || cell.find_first_of("=+-@\t\r") != 0), text);
      REQUIRE_EQ(unguarded(cell, cells), text);
    }
  }
}

TEST_CASE("csv: the names of both kinds") {
  auto cells = CsvCells::guarded;
  CHECK(read_csv_cells("csv-raw", cells));
  CHECK_EQ(cells, CsvCells::raw);
  CHECK(read_csv_cells("csv", cells));
  CHECK_EQ(cells, CsvCells::guarded);
  for (const std::string other : {"", "CSV", "csv_raw", "json"}) CHECK_FALSE(read_csv_cells(other, cells));
}
