#include "contacts/imports/failed_rows.hpp"

namespace parley::contacts::imports {

awaitable<bool> FailedRows::begin() {
  auto headers = co_await store_.headers(organization_, import_);
  if (!headers) co_return false;
  append_line({"line", "column", "reason"}, *headers);
  co_await gather();
  co_return true;
}

void FailedRows::append_line(std::initializer_list<std::string_view> about, const std::vector<std::string>& fields) {
  const auto begin = gathered_.size();
  const auto append = [&](std::string_view cell) {
    if (gathered_.size() > begin) gathered_ += ',';
    model::append_csv_cell(gathered_, cell, cells_);
  };
  for (const auto cell : about) append(cell);
  for (const auto& cell : fields) append(cell);
  gathered_ += "\r\n";
}

awaitable<void> FailedRows::gather() {
  for (const auto& row : co_await store_.failed_rows(organization_, import_, after_))
    append_line({std::to_string(row.line), row.column, row.reason}, row.fields);
}

awaitable<std::string_view> FailedRows::next() {
  if (gathered_.empty()) co_await gather();
  given_.clear();
  std::swap(given_, gathered_);
  place_->advance(given_.size());
  co_return given_;
}

}  // namespace parley::contacts::imports
