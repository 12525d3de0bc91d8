#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "contacts/lists/store.hpp"

namespace parley::contacts::lists {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, chassis::EventFeed& feed);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call);
  awaitable<http::Response> remove(chassis::Call& call);
  awaitable<http::Response> change_members(chassis::Call& call);
  awaitable<http::Response> make(chassis::Call& call);
  awaitable<http::Response> known(chassis::Call& call);
  awaitable<http::Response> add_members(chassis::Call& call);

  pg::Pool& database_;
  Store& store_;
  chassis::EventFeed& feed_;
};

}  // namespace parley::contacts::lists
