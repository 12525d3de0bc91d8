#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/roles/store.hpp"

namespace parley::organizations::roles {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, chassis::EventFeed& feed);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call);
  awaitable<http::Response> remove(chassis::Call& call);
  awaitable<http::Response> permissions(chassis::Call& call);
  awaitable<Locked> lock(chassis::Call& call, pg::Transaction& transaction, std::optional<identity::Permission> needed);

  pg::Pool& database_;
  Store& store_;
  chassis::EventFeed& feed_;
};

}  // namespace parley::organizations::roles
