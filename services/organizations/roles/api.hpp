#pragma once
#include "common/chassis/process.hpp"
#include "organizations/roles/store.hpp"

namespace parley::organizations::roles {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> create(chassis::Call& call);

  Store& store_;
};

}  // namespace parley::organizations::roles
