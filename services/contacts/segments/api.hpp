#pragma once
#include "common/chassis/process.hpp"
#include "common/contracts/contacts.hpp"
#include "contacts/contacts/store.hpp"
#include "contacts/segments/store.hpp"

namespace parley::contacts::segments {

class Api {
 public:
  Api(chassis::Process& process, Store& store, contacts::Store& contacts);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> attributes(chassis::Call& call);
  awaitable<http::Response> count(chassis::Call& call, chassis::Change& change);
  awaitable<contracts::contacts::Segments> known(chassis::Call& call, contracts::contacts::Segments body);

  Store& store_;
  contacts::Store& contacts_;
};

}  // namespace parley::contacts::segments
