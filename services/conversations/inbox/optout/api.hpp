#pragma once
#include "common/chassis/process.hpp"
#include "conversations/inbox/optout/store.hpp"

namespace parley::conversations::optout {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);

  Store& store_;
};

}  // namespace parley::conversations::optout
