#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/invites/store.hpp"
#include "organizations/mail/store.hpp"
#include "organizations/sessions/store.hpp"
#include "organizations/users/attempts.hpp"
#include "organizations/users/passwords.hpp"

namespace parley::organizations::invites {

class Api {
 public:
  Api(chassis::Process& process, Store& store, sessions::Store& sessions, users::Passwords& passwords,
      users::Attempts& attempts, const mail::Store& mails);

 private:
  awaitable<http::Response> list(chassis::Call& call);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> create(chassis::Call& call, chassis::Change& change);
  awaitable<Created> create(chassis::Change& change, authorization::Caller caller, NewInvite invite);
  awaitable<http::Response> revoke(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> join(chassis::Call& call, chassis::Change& change);

  Store& store_;
  sessions::Store& sessions_;
  users::Passwords& passwords_;
  users::Attempts& attempts_;
  const mail::Store& mails_;
};

}  // namespace parley::organizations::invites
