#pragma once
#include "common/chassis/slot_pool.hpp"
#include "common/model/csv.hpp"
#include "contacts/contacts/store.hpp"

namespace parley::contacts::contacts {

// All contacts that match, as CSV (RFC 4180) with a header line, piece by piece. Between two pieces nothing is held: no
// connection and no snapshot, so a slow reader costs others nothing, and each contact is as it was when its piece was
// made.
class Export final : public http::BodySource {
 public:
  Export(Store& store, model::Uuid organization, Filter filter, model::CsvCells cells, chassis::SlotPool::Slot place)
      : store_(store),
        organization_(organization),
        filter_(std::move(filter)),
        cells_(cells),
        place_(std::move(place)) {}

  // Makes the first piece, so that what is wrong can still be answered.
  awaitable<void> begin();
  awaitable<std::string_view> next() override;

 private:
  awaitable<void> gather();

  Store& store_;
  const model::Uuid organization_;
  Filter filter_;
  const model::CsvCells cells_;
  const chassis::SlotPool::Slot place_;
  std::optional<model::Uuid> after_;
  std::int64_t most_ = kExportStep;  // contacts of the next step
  std::string gathered_, given_;
  bool ended_ = false;
};

}  // namespace parley::contacts::contacts
