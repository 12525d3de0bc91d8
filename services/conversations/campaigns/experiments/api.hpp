#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "conversations/campaigns/experiments/store.hpp"

namespace parley::conversations::experiments {

// Tests of a campaign's messages on a share of its recipients.
class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> set(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> pick(chassis::Call& call, chassis::Change& change);

  // Locked, at the version that the request is about.
  awaitable<Found> locked(chassis::Call& call, chassis::Change& change);

  Store& store_;
};

}  // namespace parley::conversations::experiments
