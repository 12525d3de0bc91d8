#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/invites/store.hpp"
#include "organizations/sessions/store.hpp"
#include "organizations/users/passwords.hpp"

namespace parley::organizations::invites {

class Api {
 public:
  Api(chassis::Process& process, Store& store, sessions::Store& sessions, users::Passwords& passwords);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> revoke(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> join(chassis::Call& call, chassis::Change& change);

  Store& store_;
  sessions::Store& sessions_;
  users::Passwords& passwords_;
};

}  // namespace parley::organizations::invites
