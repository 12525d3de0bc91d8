#include "contacts/contacts/export.hpp"

#include <algorithm>

namespace parley::contacts::contacts {

namespace {

constexpr std::string_view kHeader = "id,name,phone,status,createdAt,tags,lists,attributes\r\n";
constexpr std::size_t kPiece = 64 * 1024;  // octets a piece has at least; at most one step more
// The separator that imports split at.
constexpr char kBetween = '|';

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts) out.append(out.empty() ? 0 : 1, kBetween).append(text);
  return out;
}

void append_line(std::string& out, const ExportRow& row, model::CsvCells cells) {
  const auto append = [&](std::string_view text, std::string_view after = ",") {
    model::append_csv_cell(out, text, cells);
    out += after;
  };
  append(row.uniqueId.text());
  append(row.name);
  append(row.phone);
  append(model::name_of(row.status));
  append(row.createdAt.text());
  append(joined(row.tags));
  append(joined(row.lists));
  append(row.attributes.text, "\r\n");
}

}  // namespace

awaitable<void> Export::begin() {
  gathered_ = kHeader;
  co_await store_.find_tag(organization_, filter_);
  co_await store_.find_segment(organization_, filter_);
  co_await gather();
}

awaitable<void> Export::gather() {
  while (!ended_ && gathered_.size() < kPiece) {
    const auto step = co_await store_.export_step(organization_, filter_, after_, most_);
    for (const auto& row : step.rows) append_line(gathered_, row, cells_);
    after_ = step.end;
    ended_ = !step.end;
    // Rows beyond the cut are computed in vain, so the next step asks for at most twice what this one returned.
    most_ = std::min(kExportStep, 2 * (step.cut ? std::ssize(step.rows) : most_));
  }
}

awaitable<std::string_view> Export::next() {
  if (gathered_.empty()) co_await gather();
  given_.clear();
  std::swap(given_, gathered_);
  place_->advance(given_.size());
  co_return given_;
}

}  // namespace parley::contacts::contacts
