#pragma once
#include "common/chassis/process.hpp"
#include "organizations/accounts/connector.hpp"

namespace parley::organizations::accounts {

class Api {
 public:
  Api(chassis::Process& process, Store& store, Connector& connector);

 private:
  awaitable<http::Response> connect(chassis::Call& call, chassis::Change& change);
  awaitable<Account> find(chassis::Call& call, AccountQuery query);
  awaitable<BusinessAccountOwners> find_owners(chassis::Call& call, BusinessAccountQuery query);
  awaitable<VerifyToken> find_verify_token(chassis::Call& call, chassis::Nothing);

  Store& store_;
  Connector& connector_;
};

}  // namespace parley::organizations::accounts
