#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "contacts/contacts/store.hpp"
#include "contacts/people/store.hpp"

namespace parley::contacts::people {

// What conversations ask for: all of its routes are internal.
class Api {
 public:
  Api(chassis::Process& process, Store& store, contacts::Store& contacts);

 private:
  awaitable<http::Response> resolve(chassis::Call& call);
  awaitable<http::Response> addresses(chassis::Call& call);
  awaitable<http::Response> ids(chassis::Call& call);

  Store& store_;
  contacts::Store& contacts_;
};

}  // namespace parley::contacts::people
