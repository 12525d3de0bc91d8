#pragma once
#include "common/chassis/process.hpp"
#include "organizations/accounts/connector.hpp"

namespace parley::organizations::accounts {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, Connector& connector);

 private:
  awaitable<http::Response> connect(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> find_verify_token(chassis::Call& call);

  pg::Pool& database_;
  Store& store_;
  Connector& connector_;
};

}  // namespace parley::organizations::accounts
