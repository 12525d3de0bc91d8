#pragma once
#include "common/chassis/process.hpp"
#include "organizations/accounts/connector.hpp"

namespace parley::organizations::accounts {

class Api {
 public:
  Api(chassis::Process& process, Store& store, Connector& connector);

 private:
  awaitable<http::Response> connect(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> find_verify_token(chassis::Call& call);

  Store& store_;
  Connector& connector_;
};

}  // namespace parley::organizations::accounts
