#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "common/contracts/contacts.hpp"
#include "contacts/lists/store.hpp"

namespace parley::contacts::lists {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> change_members(chassis::Call& call, chassis::Change& change);
  awaitable<chassis::Nothing> make(chassis::Call& call, chassis::Change& change, contracts::contacts::MakeList body);
  awaitable<contracts::contacts::Lists> known(chassis::Call& call, contracts::contacts::Lists body);
  awaitable<contracts::contacts::Added> add_members(chassis::Call& call, chassis::Change& change,
                                                    contracts::contacts::AddContacts body);

  Store& store_;
};

}  // namespace parley::contacts::lists
