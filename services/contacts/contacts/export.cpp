#include "contacts/contacts/export.hpp"

#include "common/model/text.hpp"

namespace parley::contacts::contacts {

namespace {

constexpr std::string_view kHeader = "id,name,phone,status,createdAt,tags,lists,attributes\r\n";
constexpr std::size_t kPiece = 64 * 1024;  // octets, at least; a step more at most
// As imports take them apart again.
constexpr char kBetween = '|';

void append_cell(std::string& out, std::string_view text, char after) {
  model::append_csv_field(out, text);
  out += after;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts) out.append(out.empty() ? 0 : 1, kBetween).append(text);
  return out;
}

void append_line(std::string& out, const ExportRow& row) {
  append_cell(out, row.uniqueId.text(), ',');
  append_cell(out, row.name, ',');
  append_cell(out, row.phone, ',');
  append_cell(out, model::name_of(row.status), ',');
  append_cell(out, row.createdAt.text(), ',');
  append_cell(out, joined(row.tags), ',');
  append_cell(out, joined(row.lists), ',');
  append_cell(out, row.attributes.text, '\r');
  out += '\n';
}

}  // namespace

awaitable<void> Export::begin() {
  gathered_ = kHeader;
  co_await store_.find_tag(organization_, filter_);
  co_await gather();
}

awaitable<void> Export::gather() {
  while (!ended_ && gathered_.size() < kPiece) {
    const auto step = co_await store_.export_step(organization_, filter_, after_);
    for (const auto& row : step.rows) append_line(gathered_, row);
    after_ = step.end;
    ended_ = !step.end;
  }
}

awaitable<std::string_view> Export::next() {
  if (gathered_.empty()) co_await gather();
  given_.clear();
  std::swap(given_, gathered_);
  co_return given_;
}

}  // namespace parley::contacts::contacts
