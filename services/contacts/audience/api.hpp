#pragma once
#include "common/chassis/process.hpp"
#include "contacts/audience/store.hpp"

namespace parley::contacts::audience {

// Internal read-only routes of campaigns' audiences.
class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<chassis::Lines<Recipient>> page(chassis::Call& call, AudienceQuestion body);
  awaitable<AudienceCount> count(chassis::Call& call, AudienceCountQuestion body);
  awaitable<chassis::Lines<Recipient>> variables(chassis::Call& call, contracts::contacts::VariablesQuestion body);

  Store& store_;
};

chassis::Lines<Recipient> lines_of(const Page& page);

}  // namespace parley::contacts::audience
