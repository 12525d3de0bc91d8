#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/invites/store.hpp"
#include "organizations/people/passwords.hpp"

namespace parley::organizations::invites {

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, people::Passwords& passwords,
      chassis::EventFeed& feed);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call);
  awaitable<http::Response> revoke(chassis::Call& call);
  awaitable<http::Response> join(chassis::Call& call);

  pg::Pool& database_;
  Store& store_;
  people::Passwords& passwords_;
  chassis::EventFeed& feed_;
};

}  // namespace parley::organizations::invites
