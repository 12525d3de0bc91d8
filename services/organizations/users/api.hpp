#pragma once
#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "organizations/mail/store.hpp"
#include "organizations/sessions/store.hpp"
#include "organizations/users/attempts.hpp"
#include "organizations/users/passwords.hpp"
#include "organizations/users/store.hpp"

namespace parley::organizations::users {

// Whether anyone may create an account.
enum class SignUp { closed, open };
BOOST_DESCRIBE_ENUM(SignUp, closed, open)

class Api {
 public:
  Api(chassis::Process& process, pg::Pool& database, Store& store, sessions::Store& sessions, Passwords& passwords,
      Attempts& attempts, const mail::Store& mails, SignUp sign_up);

 private:
  awaitable<http::Response> sign_up(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> request_reset(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> set_password(chassis::Call& call, chassis::Change& change);
  awaitable<http::Response> find(chassis::Call& call);
  awaitable<http::Response> update(chassis::Call& call, chassis::Change& change);
  awaitable<PasswordChange> prepare(chassis::Call& call, const UpdateUser& body);

  pg::Pool& database_;
  Store& store_;
  sessions::Store& sessions_;
  Passwords& passwords_;
  Attempts& attempts_;
  const mail::Store& mails_;
  SignUp sign_up_;
};

}  // namespace parley::organizations::users
