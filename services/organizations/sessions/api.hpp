#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/second_factor/store.hpp"
#include "organizations/sessions/store.hpp"
#include "organizations/users/attempts.hpp"
#include "organizations/users/passwords.hpp"
#include "organizations/users/store.hpp"

namespace parley::organizations::sessions {

class Api {
 public:
  Api(chassis::Process& process, Store& store, users::Store& users, users::Passwords& passwords,
      users::Attempts& attempts, second_factor::Store& second_factor);

 private:
  awaitable<http::Response> login(chassis::Call& call, chassis::Change& change);
  awaitable<users::AccountRow> authenticate(const chassis::Call& call, Login login);
  awaitable<std::optional<second_factor::Proof>> require_code(const chassis::Call& call,
                                                              const users::AccountRow& account,
                                                              std::optional<std::string> code);
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> remove(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> logout(chassis::Call& call, chassis::Change& change);

  Store& store_;
  users::Store& users_;
  users::Passwords& passwords_;
  users::Attempts& attempts_;
  second_factor::Store& second_factor_;
};

}  // namespace parley::organizations::sessions
