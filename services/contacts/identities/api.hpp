#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "contacts/contacts/store.hpp"
#include "contacts/identities/store.hpp"

namespace parley::contacts::identities {

namespace contract = contracts::contacts;

// Internal routes that conversations calls.
class Api {
 public:
  Api(chassis::Process& process, Store& store, contacts::Store& contacts);

 private:
  awaitable<contract::Resolved> resolve(chassis::Call& call, contract::Resolve body);
  awaitable<chassis::Lines<Address>> addresses(chassis::Call& call, contract::AddressesQuery query);
  awaitable<contract::Ids> ids(chassis::Call& call, contract::IdsQuery query);

  Store& store_;
  contacts::Store& contacts_;
};

}  // namespace parley::contacts::identities
