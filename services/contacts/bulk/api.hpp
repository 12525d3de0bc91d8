#pragma once
#include "common/chassis/process.hpp"
#include "contacts/bulk/store.hpp"
#include "contacts/bulk/worker.hpp"

namespace parley::contacts::bulk {

class Api {
 public:
  Api(chassis::Process& process, Store& store, Worker& worker);

 private:
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> cancel(chassis::Call& call, chassis::Change& change);

  Store& store_;
  Worker& worker_;
};

}  // namespace parley::contacts::bulk
