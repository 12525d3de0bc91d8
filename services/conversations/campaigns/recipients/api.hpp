#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/slot_pool.hpp"
#include "conversations/campaigns/recipients/store.hpp"

namespace parley::conversations::recipients {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> export_all(chassis::Call& call, Campaign campaign, Filter filter);

  Store& store_;
  chassis::SlotPool exports_{32, "exports"};  // each holds a piece in memory while a slow reader drains it
};

}  // namespace parley::conversations::recipients
