#pragma once
// CSV (RFC 4180) for people, whose spreadsheets take some cells for formulas, and for programs, which do not.
#include <string>
#include <string_view>

namespace parley::model {

// `guarded`: a cell that a spreadsheet would take for a formula has an apostrophe in front, which spreadsheets take for
// "this is text" (OWASP, CSV injection). So has one that would be taken for guarded otherwise.
enum class CsvCells : bool { guarded, raw };

// Reads `csv` (guarded) and `csv-raw`, as parameters and columns name them; false for what is neither.
bool read_csv_cells(std::string_view text, CsvCells& out);

// Appends a text as a cell, in quotation marks where it needs them.
void append_csv_cell(std::string& out, std::string_view text, CsvCells cells);

// What a cell of such a file says: without the apostrophe that guards it.
std::string_view unguarded(std::string_view cell, CsvCells cells);

}  // namespace parley::model
