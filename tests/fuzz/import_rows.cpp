// An import's columns and rows: the columns mean what their words in the database say, every row is counted once, and
// what is made of them is fit for the database, in one batch or in several.
#include <set>

#include "common/model/phone.hpp"
#include "common/model/text.hpp"
#include "contacts/imports/rows.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::contacts::imports;

namespace {

void check(const Rows& rows) {
  std::int64_t kept = 0;
  std::set<std::string> phones;
  for (const auto& row : rows.rows) {
    kept += 1 + row.repeated;
    MUST(model::is_international(row.phone) && phones.insert(row.phone).second);
    MUST(model::count_characters(row.name).value_or(256) <= 255);
    model::Fault fault;
    MUST(model::parse_leniently(row.attributes, fault) && row.attributes.starts_with('{'));
    MUST(model::count_characters(row.attributes) && row.attributes.find('\0') == std::string::npos);
    for (const auto& tag : row.tags) MUST(model::count_characters(tag).value_or(256) <= 255 && !tag.empty());
  }
  MUST(rows.progress.rows_read == kept + rows.progress.skipped + rows.progress.failed);
  MUST(rows.progress.errors.size() <= kMaxErrors);
  MUST(model::from_json<std::vector<RowError>>(model::to_json(rows.progress.errors)));
}

}  // namespace

FUZZ(import_rows) {
  Job job;
  job.on_conflict = input.choice(2) == 0 ? OnConflict::skip : OnConflict::update;
  job.country = input.choice(2) == 0 ? "" : "DE";
  job.cells = input.choice(2) == 0 ? model::CsvCells::guarded : model::CsvCells::raw;
  const auto split_at = input.choice(8);
  const auto mapping = model::repaired(input.line());  // a parameter
  const auto text = input.rest();

  CsvReader reader(',');
  if (reader.next(text, true) != CsvReader::Step::record) return;
  if (refused([&] {
        http::Faults faults;
        job.columns = choose_columns(reader.fields(), read_mapping(mapping, faults), faults);
        faults.throw_if_any();
      }))
    return;
  for (const auto& column : job.columns) {
    const auto again = column_of(target_of(column), column.header);
    MUST(again.kind == column.kind && (column.kind == Column::Kind::ignored || again.key == column.key));
  }
  RowGatherer gatherer(job);
  std::size_t at = reader.consumed(), taken = 0;
  for (;; at += reader.consumed()) {
    const auto step = reader.next(text.substr(at), true);
    if (step != CsvReader::Step::record && step != CsvReader::Step::blank) break;
    gatherer.take(reader);
    if (++taken != split_at) continue;
    auto half = gatherer.finish(0, 1);
    check(half);
    Progress progress = half.progress;
    progress.rows_read = progress.skipped = progress.failed = 0;
    gatherer.go_on(std::move(progress));
  }
  check(gatherer.finish(0, 1));
}
