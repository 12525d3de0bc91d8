#include "common/model/csv.hpp"

#include <algorithm>

namespace parley::model {

namespace {

constexpr std::string_view kDigits = "0123456789";

// Characters that start a formula in spreadsheets.
bool begins_formula(std::string_view cell) { return !cell.empty() && cell.find_first_of("=+-@\t\r") == 0; }

// A number such as -5, +491701234567 (E.164) and -0.5: harmless if a spreadsheet evaluates it.
bool is_plain_number(std::string_view cell) {
  if (cell.starts_with('+') || cell.starts_with('-')) cell.remove_prefix(1);
  const auto end = std::min(cell.find_first_not_of(kDigits), cell.size());
  if (end == 0 || end == cell.size()) return end > 0;
  const auto fraction = cell.substr(end + 1);
  return (cell[end] == '.' || cell[end] == ',') && !fraction.empty() &&
         fraction.find_first_not_of(kDigits) == fraction.npos;
}

// Before a formula, the first of one or more apostrophes is the guard.
bool has_guard(std::string_view cell) {
  const auto rest = std::min(cell.find_first_not_of('\''), cell.size());
  return rest > 0 && begins_formula(cell.substr(rest));
}

void append_field(std::string& out, std::string_view text, std::string_view guard) {
  const bool is_plain = text.find_first_of("\",\r\n") == text.npos;
  if (!is_plain) out += '"';
  out += guard;
  for (const char c : text) {
    if (c == '"') out += c;
    out += c;
  }
  if (!is_plain) out += '"';
}

}  // namespace

bool read_csv_cells(std::string_view text, CsvCells& out) {
  if (text != "csv" && text != "csv-raw") return false;
  out = text == "csv" ? CsvCells::guarded : CsvCells::raw;
  return true;
}

void append_csv_cell(std::string& out, std::string_view text, CsvCells cells) {
  const bool needs_guard = has_guard(text) || (begins_formula(text) && !is_plain_number(text));
  append_field(out, text, cells == CsvCells::guarded && needs_guard ? "'" : "");
}

std::string_view unguarded(std::string_view cell, CsvCells cells) {
  return cell.substr(cells == CsvCells::guarded && has_guard(cell) ? 1 : 0);
}

}  // namespace parley::model
