#pragma once
#include "common/chassis/slot_pool.hpp"
#include "conversations/campaigns/recipients/store.hpp"

namespace parley::conversations::recipients {

// Streams all matching recipients as CSV (RFC 4180) with a header line. Holds no connection and no snapshot between two
// pieces, so a slow reader costs others nothing.
class Export final : public http::BodySource {
 public:
  Export(Store& store, Campaign campaign, Filter filter, chassis::SlotPool::Slot place)
      : store_(store), campaign_(std::move(campaign)), filter_(std::move(filter)), place_(std::move(place)) {}

  // Makes the first piece, so that an error can still become an error response.
  awaitable<void> begin();
  awaitable<std::string_view> next() override;

 private:
  awaitable<void> take_step();

  Store& store_;
  const Campaign campaign_;
  const Filter filter_;
  const chassis::SlotPool::Slot place_;
  std::int64_t after_ = 0;
  std::string gathered_, given_;
};

}  // namespace parley::conversations::recipients
