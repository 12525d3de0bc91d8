#pragma once
#include "common/chassis/process.hpp"
#include "contacts/lists/store.hpp"

namespace parley::contacts::lists {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> create(chassis::Call& call);

  Store& store_;
};

}  // namespace parley::contacts::lists
