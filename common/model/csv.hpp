#pragma once
// CSV (RFC 4180) for people, whose spreadsheets evaluate formulas, and for programs, which do not.
#include <string>
#include <string_view>

namespace parley::model {

// `guarded`: prefixes cells that look like formulas with an apostrophe, which spreadsheets read as "this is text"
// (OWASP, CSV injection); also cells that would otherwise look guarded.
enum class CsvCells : bool { guarded, raw };

// Parses `csv` (guarded) or `csv-raw`; returns false for other texts.
bool read_csv_cells(std::string_view text, CsvCells& out);

// Appends a cell, quoted where necessary.
void append_csv_cell(std::string& out, std::string_view text, CsvCells cells);

// The cell's text without the guarding apostrophe.
std::string_view unguarded(std::string_view cell, CsvCells cells);

}  // namespace parley::model
