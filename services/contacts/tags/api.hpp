#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "common/contracts/contacts.hpp"
#include "contacts/tags/store.hpp"

namespace parley::contacts::tags {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<contracts::contacts::Tags> resolve(chassis::Call& call, contracts::contacts::TagNames body);

  pg::Pool& database_;
  Store& store_;
};

}  // namespace parley::contacts::tags
