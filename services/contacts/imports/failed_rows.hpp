#pragma once
#include "common/chassis/slot_pool.hpp"
#include "common/model/csv.hpp"
#include "contacts/imports/store.hpp"

namespace parley::contacts::imports {

// An import's failed rows as CSV (RFC 4180), a chunk a piece, behind their line, column and reason. Holds no connection
// between pieces.
class FailedRows final : public http::BodySource {
 public:
  FailedRows(Store& store, model::Uuid organization, model::Uuid import, model::CsvCells cells,
             chassis::SlotPool::Slot place)
      : store_(store), organization_(organization), import_(import), cells_(cells), place_(std::move(place)) {}

  // Makes the first piece; false if there is no such import.
  awaitable<bool> begin();
  awaitable<std::string_view> next() override;

 private:
  awaitable<void> gather();
  void append_line(std::initializer_list<std::string_view> about, const std::vector<std::string>& fields);

  Store& store_;
  const model::Uuid organization_, import_;
  const model::CsvCells cells_;
  const chassis::SlotPool::Slot place_;
  std::int64_t after_ = 0;  // the line at which the last chunk began
  std::string gathered_, given_;
};

}  // namespace parley::contacts::imports
