#pragma once
#include "analytics/reports/store.hpp"
#include "common/chassis/process.hpp"

namespace parley::analytics::reports {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> campaigns(chassis::Call& call);

  Store& store_;
};

}  // namespace parley::analytics::reports
