#include "contacts/imports/rows.hpp"

#include <algorithm>

#include "common/model/phone.hpp"
#include "common/model/text.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::imports {

namespace {

constexpr std::size_t kMaxCharacters = 255;  // of a name or tag
constexpr std::size_t kShownOctets = 40;     // of a cell in an error
constexpr std::string_view kBetweenTags = "|,;";

bool is_blank(std::span<const std::string_view> fields) {
  return std::all_of(fields.begin(), fields.end(), [](std::string_view field) { return trimmed(field).empty(); });
}

std::string shown(std::string_view cell) {
  const auto begin = model::first_octets(cell, kShownOctets);
  return std::string("\"").append(begin).append(begin.size() < cell.size() ? "...\"" : "\"");
}

std::string why_no_phone(std::string_view cell, const std::string& country) {
  if (auto wrong_length = model::wrong_length_of(cell, country); !wrong_length.empty()) return ": " + wrong_length;
  return country.empty() ? " with its plus and calling code" : "";
}

bool is_longer(std::string_view text, std::size_t characters) {
  return text.size() > characters && *model::count_characters(text) > characters;
}

}  // namespace

void add_error(Rows& rows, std::int64_t line, std::string_view column, std::string detail) {
  if (rows.progress.errors.size() >= kMaxErrors) return;
  rows.progress.errors.push_back({line, std::string(column), std::move(detail)});
  rows.new_errors = true;
}

void keep_failed(Rows& rows, const Job& job, const CsvReader& record, std::string_view column,
                 std::string_view reason) {
  auto& progress = rows.progress;
  if (progress.failed_kept >= kMaxFailedKept || progress.failed_octets >= kMaxFailedOctets) return;
  FailedRow row{static_cast<std::int64_t>(record.line()), std::string(column), std::string(reason), {}};
  for (const auto field : record.fields()) row.fields.push_back(model::repaired(model::unguarded(field, job.cells)));
  ++progress.failed_kept;
  progress.failed_octets += static_cast<std::int64_t>(record.text().size() + column.size() + reason.size());
  rows.failed.push_back(std::move(row));
}

void keep_failed(Rows& rows, const Job& job, const Record& record, std::string_view reason) {
  CsvReader reader(job.delimiter, static_cast<std::uint64_t>(record.line));
  reader.next(record.text, true);
  keep_failed(rows, job, reader, "", reason);
}

RowGatherer::RowGatherer(const Job& job) : job_(job), tags_(job.progress.tags.begin(), job.progress.tags.end()) {
  for (const auto& column : job.columns) model::write(keys_.emplace_back(), column.key);
  for (auto& key : keys_) key += ':';
  go_on(job.progress);
}

void RowGatherer::go_on(Progress progress) {
  gathered_ = {};
  gathered_.progress = std::move(progress);
  by_phone_.clear();
}

Rows RowGatherer::finish(std::int64_t position, std::int64_t line) {
  gathered_.progress.position = position;
  gathered_.progress.line = line;
  std::sort(gathered_.rows.begin(), gathered_.rows.end(), [](const Row& a, const Row& b) { return a.phone < b.phone; });
  if (gathered_.new_tags) gathered_.progress.tags.assign(tags_.begin(), tags_.end());
  return std::move(gathered_);
}

void RowGatherer::take(const CsvReader& record) {
  const auto fields = record.fields();
  if (is_blank(fields)) return;  // spreadsheets append blank records
  auto& progress = gathered_.progress;
  ++progress.rows_read;
  Row row;
  row.line = static_cast<std::int64_t>(record.line());
  auto fault = record.fault().empty() ? read(fields, row) : Fault{"", std::string(record.fault())};
  if (!fault) {
    if (job_.on_conflict == OnConflict::update) row.records.push_back({row.line, std::string(record.text())});
    return add(std::move(row));
  }
  ++progress.failed;
  keep_failed(gathered_, job_, record, fault->column, fault->detail);
  add_error(gathered_, row.line, fault->column, std::move(fault->detail));
}

auto RowGatherer::read(std::span<const std::string_view> fields, Row& row) -> std::optional<Fault> {
  if (fields.size() != job_.columns.size())
    return Fault{
        "", "has " + std::to_string(fields.size()) + " fields, the header has " + std::to_string(job_.columns.size())};
  row.attributes = "{";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto& column = job_.columns[i];
    if (!model::count_characters(fields[i])) return Fault{column.header, "is not UTF-8"};
    if (fields[i].find('\0') != fields[i].npos) return Fault{column.header, "has the character U+0000"};
    const auto cell = model::unguarded(trimmed(fields[i]), job_.cells);
    switch (column.kind) {
      case Column::Kind::ignored:
        break;
      case Column::Kind::name:
        if (is_longer(cell, kMaxCharacters)) return Fault{column.header, "is longer than 255 characters"};
        row.name = cell;
        break;
      case Column::Kind::phone: {
        if (cell.empty()) return Fault{column.header, "is empty: a contact needs a telephone number"};
        auto phone = model::to_e164(cell, job_.country);
        if (!phone)
          return Fault{column.header, shown(cell) + " is no telephone number" + why_no_phone(cell, job_.country)};
        row.phone = std::move(*phone);
        break;
      }
      case Column::Kind::tags:
        if (auto fault = read_tags(column, cell, row)) return fault;
        break;
      case Column::Kind::attribute:
        if (cell.empty()) break;
        if (row.attributes.size() > 1) row.attributes += ',';
        row.attributes += keys_[i];
        model::write(row.attributes, cell);
    }
  }
  row.attributes += '}';
  if (row.attributes.size() > kMaxAttributes) return Fault{"", "its attributes are longer than 16 KiB"};
  return std::nullopt;
}

auto RowGatherer::read_tags(const Column& column, std::string_view cell, Row& row) -> std::optional<Fault> {
  while (!cell.empty()) {
    const auto end = std::min(cell.find_first_of(kBetweenTags), cell.size());
    const auto name = trimmed(cell.substr(0, end));
    cell.remove_prefix(std::min(end + 1, cell.size()));
    if (name.empty() || std::find(row.tags.begin(), row.tags.end(), name) != row.tags.end()) continue;
    if (is_longer(name, kMaxCharacters)) return Fault{column.header, "has a tag of more than 255 characters"};
    if (model::Uuid::parse(name)) return Fault{column.header, "has a tag that looks like an id: tags are labels here"};
    row.tags.emplace_back(name);
  }
  if (row.tags.size() > tags::kMaxNames)
    return Fault{column.header, "has more than " + std::to_string(tags::kMaxNames) + " tags"};
  // Nothing is added before all tags are known to fit: a failed row contributes no tags.
  const auto fresh =
      std::count_if(row.tags.begin(), row.tags.end(), [&](const std::string& name) { return !tags_.contains(name); });
  if (tags_.size() + static_cast<std::size_t>(fresh) > kMaxTagNames)
    return Fault{column.header, "names a tag beyond the 1,000 that an import may name"};
  return std::nullopt;
}

void RowGatherer::add(Row row) {
  const auto [place, is_first] = by_phone_.try_emplace(row.phone, gathered_.rows.size());
  if (!is_first && job_.on_conflict == OnConflict::skip) {
    ++gathered_.progress.skipped;
    return;
  }
  for (const auto& name : row.tags) gathered_.new_tags = tags_.insert(name).second || gathered_.new_tags;
  if (!is_first) return merge(gathered_.rows[place->second], std::move(row));
  row.id = model::new_uuid();
  gathered_.rows.push_back(std::move(row));
}

void RowGatherer::merge(Row& into, Row row) {
  ++into.repeated;
  std::ranges::move(row.records, std::back_inserter(into.records));
  if (!row.name.empty()) into.name = std::move(row.name);
  for (auto& name : row.tags)
    if (std::find(into.tags.begin(), into.tags.end(), name) == into.tags.end()) into.tags.push_back(std::move(name));
  if (row.attributes == "{}") return;
  if (into.attributes == "{}") {
    into.attributes = std::move(row.attributes);
  } else {  // PostgreSQL keeps the last of duplicate keys
    into.attributes.back() = ',';
    into.attributes.append(row.attributes, 1);
  }
}

}  // namespace parley::contacts::imports
