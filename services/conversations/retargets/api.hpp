#pragma once
#include "common/chassis/process.hpp"
#include "conversations/retargets/lists.hpp"
#include "conversations/retargets/store.hpp"

namespace parley::conversations::retargets {

class Api {
 public:
  Api(chassis::Process& process, Store& store, chassis::ServiceClient& contacts);

 private:
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);

  Store& store_;
  Lists lists_;
};

}  // namespace parley::conversations::retargets
