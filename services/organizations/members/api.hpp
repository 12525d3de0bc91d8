#pragma once
#include "common/chassis/process.hpp"
#include "organizations/members/store.hpp"

namespace parley::organizations::members {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> summaries(chassis::Call& call);

  Store& store_;
};

}  // namespace parley::organizations::members
