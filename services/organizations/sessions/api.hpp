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
  Api(chassis::Process& process, pg::Pool& database, Store& store, people::Store& people, people::Passwords& passwords,
      people::Attempts& attempts, chassis::EventFeed& feed);

 private:
  awaitable<http::Response> login(chassis::Call& call);
  awaitable<people::AccountRow> authenticate(Login login, std::string address);
  awaitable<http::Response> logout(chassis::Call& call);

  pg::Pool& database_;
  Store& store_;
  people::Store& people_;
  people::Passwords& passwords_;
  people::Attempts& attempts_;
  chassis::EventFeed& feed_;
};

}  // namespace parley::organizations::sessions
