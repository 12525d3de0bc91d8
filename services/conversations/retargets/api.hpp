#pragma once
#include "common/chassis/process.hpp"
#include "conversations/retargets/lists.hpp"
#include "conversations/retargets/store.hpp"

namespace parley::conversations::retargets {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, chassis::Peer& contacts);

 private:
  awaitable<http::Response> create(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);

  pg::Pool& database_;
  Store& store_;
  Lists lists_;
};

}  // namespace parley::conversations::retargets
