#pragma once
#include "common/chassis/process.hpp"
#include "organizations/organizations/store.hpp"

namespace parley::organizations::organizations {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call);

  Store& store_;
};

}  // namespace parley::organizations::organizations
