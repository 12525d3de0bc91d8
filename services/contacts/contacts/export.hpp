#pragma once
#include "common/chassis/slot_pool.hpp"
#include "common/model/csv.hpp"
#include "contacts/contacts/store.hpp"

namespace parley::contacts::contacts {

// All matching contacts as CSV (RFC 4180) with a header line, in pieces. Holds no connection and no snapshot between
// pieces, so that a slow client costs others nothing; each contact is as of when its piece was read.
class Export final : public http::BodySource {
 public:
  Export(Store& store, model::Uuid organization, Filter filter, model::CsvCells cells, chassis::SlotPool::Slot place)
      : store_(store),
        organization_(organization),
        filter_(std::move(filter)),
        cells_(cells),
        place_(std::move(place)) {}

  // Makes the first piece; errors thrown here can still become a response.
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
  std::int64_t most_ = kExportStep;  // contacts that the next step walks
  std::string gathered_, given_;
  bool ended_ = false;
};

}  // namespace parley::contacts::contacts
