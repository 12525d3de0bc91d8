#pragma once
#include "common/chassis/process.hpp"
#include "organizations/audit/store.hpp"

namespace parley::organizations::audit {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> list(chassis::Call& call);

  Store& store_;
};

}  // namespace parley::organizations::audit
