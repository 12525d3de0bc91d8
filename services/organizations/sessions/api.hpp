#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/people/attempts.hpp"
#include "organizations/people/passwords.hpp"
#include "organizations/people/store.hpp"
#include "organizations/sessions/store.hpp"

namespace parley::organizations::sessions {

class Api {
 public:
  Api(chassis::Process& process, Store& store, people::Store& people, people::Passwords& passwords,
      people::Attempts& attempts);

 private:
  awaitable<http::Response> login(chassis::Call& call, chassis::Change& change);
  awaitable<people::AccountRow> authenticate(Login login, std::string address);
  awaitable<http::Response> logout(chassis::Call& call, chassis::Change& change);

  Store& store_;
  people::Store& people_;
  people::Passwords& passwords_;
  people::Attempts& attempts_;
};

}  // namespace parley::organizations::sessions
