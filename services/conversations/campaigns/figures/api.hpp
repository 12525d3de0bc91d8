#pragma once
#include "common/chassis/process.hpp"
#include "conversations/campaigns/figures/store.hpp"

namespace parley::conversations::figures {

// What became of a campaign's recipients: by variant, by reason and by hour.
class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> show(chassis::Call& call);

  Store& store_;
};

}  // namespace parley::conversations::figures
