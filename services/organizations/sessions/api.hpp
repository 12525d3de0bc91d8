#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/sessions/store.hpp"
#include "organizations/users/attempts.hpp"
#include "organizations/users/passwords.hpp"
#include "organizations/users/store.hpp"

namespace parley::organizations::sessions {

class Api {
 public:
  Api(chassis::Process& process, Store& store, users::Store& users, users::Passwords& passwords,
      users::Attempts& attempts);

 private:
  awaitable<http::Response> login(chassis::Call& call, chassis::Change& change);
  awaitable<users::AccountRow> authenticate(Login login, std::string address);
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> logout(chassis::Call& call, chassis::Change& change);

  Store& store_;
  users::Store& users_;
  users::Passwords& passwords_;
  users::Attempts& attempts_;
};

}  // namespace parley::organizations::sessions
