#pragma once
#include "common/chassis/process.hpp"
#include "organizations/accounts/connector.hpp"

namespace parley::organizations::accounts {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Connector& connector);

 private:
  awaitable<http::Response> connect(chassis::Call& call);

  pg::Pool& database_;
  Connector& connector_;
};

}  // namespace parley::organizations::accounts
