#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/slot_pool.hpp"
#include "contacts/imports/store.hpp"
#include "contacts/imports/worker.hpp"

namespace parley::contacts::imports {

class Api {
 public:
  // `country` of national numbers unless a request names one; "" accepts none.
  Api(chassis::Process& process, Store& store, Worker& worker, std::string country);

 private:
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> failed_rows(chassis::Call& call);
  awaitable<http::Response> cancel(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> receive(chassis::Call& call, chassis::Change& change, class Upload& upload);

  Store& store_;
  Worker& worker_;
  const std::string country_;
  chassis::SlotPool uploads_{32, "uploads"};  // each holds a chunk or two in memory
  chassis::SlotPool files_{16, "exports"};    // of failed rows, likewise
};

}  // namespace parley::contacts::imports
