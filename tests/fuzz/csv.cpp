// libFuzzer: whatever a file holds and however it is cut, the CSV reader gives the same records, uses every octet once
// and ends.
#include <cstdlib>
#include <string>
#include <vector>

#include "contacts/imports/csv.hpp"

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
      if (arrived == text.size()) std::abort();
      arrived = std::min(arrived + piece, text.size());
      continue;
    }
    if (step == Step::end) return out;
    if (step == Step::broken) {
      out.broken = std::to_string(reader.line()) + std::string(reader.fault());
      return out;
    }
    if (reader.consumed() == 0 || reader.consumed() > data.size()) std::abort();
    out.used += reader.consumed();
    if (step == Step::blank) continue;
    out.fields.insert(out.fields.end(), reader.fields().begin(), reader.fields().end());
    out.fields.push_back(std::to_string(reader.line()) + std::string(reader.fault()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* octets, std::size_t count) {
  if (count < 1) return 0;
  const std::size_t piece = 1 + octets[0];
  const std::string_view text(reinterpret_cast<const char*>(octets) + 1, count - 1);
  const auto preamble = read_preamble(text, true);
  if (!preamble || preamble->octets > text.size()) std::abort();
  const auto rows = text.substr(preamble->octets);
  const auto whole = read(rows, preamble->delimiter, text.size() + 1);
  if (!(whole == read(rows, preamble->delimiter, piece))) std::abort();
  if (whole.broken.empty() && whole.used != rows.size()) std::abort();
  return 0;
}
