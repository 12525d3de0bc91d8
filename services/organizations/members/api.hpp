#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/members/store.hpp"

namespace parley::organizations::members {

class Api {
 public:
  Api(chassis::Process& process, Store& store);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<chassis::Lines<PageMember>> summaries(chassis::Call& call, contracts::organizations::MembersQuery query);
  awaitable<Locked> lock(chassis::Call& call, pg::Transaction& transaction, std::optional<identity::Permission> needed);

  Store& store_;
};

}  // namespace parley::organizations::members
