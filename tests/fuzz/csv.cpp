// Files of contacts: however one is cut, the reader gives the same records, uses every octet once and ends; and cells
// come back as they were written.
#include "common/model/csv.hpp"
#include "contacts/imports/csv.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::contacts::imports;

namespace {

struct Outcome {
  std::vector<std::string> fields;  // of all records, each record ended by its line and fault
  std::string broken;
  std::size_t used = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome read(std::string_view text, char delimiter, std::size_t piece) {
  Outcome out;
  CsvReader reader(delimiter);
  std::size_t arrived = 0;
  for (;;) {
    const auto data = text.substr(out.used, arrived - out.used);
    using Step = CsvReader::Step;
    const auto step = reader.next(data, arrived == text.size());
    if (step == Step::need_more) {
      MUST(arrived < text.size());
      arrived = std::min(arrived + piece, text.size());
      continue;
    }
    if (step == Step::end) return out;
    if (step == Step::broken) {
      out.broken = std::to_string(reader.line()) + std::string(reader.fault());
      return out;
    }
    MUST(reader.consumed() > 0 && reader.consumed() <= data.size());
    out.used += reader.consumed();
    if (step == Step::blank) continue;
    out.fields.insert(out.fields.end(), reader.fields().begin(), reader.fields().end());
    out.fields.push_back(std::to_string(reader.line()) + std::string(reader.fault()));
  }
}

void write_and_read(std::string_view cell, model::CsvCells cells) {
  std::string line;
  model::append_csv_cell(line, cell, cells);
  line += ',';
  model::append_csv_cell(line, cell, cells);
  const auto out = read(line, ',', line.size());
  MUST(out.fields.size() == 3);
  for (const auto& field : {out.fields[0], out.fields[1]}) MUST_EQUAL(model::unguarded(field, cells), cell);
}

}  // namespace

FUZZ(csv) {
  const std::size_t piece = 1 + input.choice(256);
  const auto text = input.rest();
  const auto preamble = read_preamble(text, true);
  MUST(preamble && preamble->octets <= text.size());
  const auto rows = text.substr(preamble->octets);
  const auto whole = read(rows, preamble->delimiter, text.size() + 1);
  MUST(whole == read(rows, preamble->delimiter, piece));
  if (whole.broken.empty()) MUST(whole.used == rows.size());
  write_and_read(text, model::CsvCells::guarded);
  write_and_read(text, model::CsvCells::raw);
}
