#pragma once
#include "common/chassis/process.hpp"
#include "conversations/campaigns/audience_lists/lists.hpp"
#include "conversations/campaigns/audience_lists/store.hpp"

namespace parley::conversations::audience_lists {

class Api {
 public:
  Api(chassis::Process& process, Store& store, chassis::ServiceClient& contacts);

 private:
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);

  Store& store_;
  Lists lists_;
};

}  // namespace parley::conversations::audience_lists
