#include "organizations/users/api.hpp"

#include "common/chassis/change.hpp"
#include "common/contracts/organizations.hpp"
#include "organizations/mail/message.hpp"
#include "organizations/users/ownership.hpp"

namespace parley::organizations::users {

Api::Api(chassis::Process& process, pg::Pool& database, Store& store, sessions::Store& sessions, Passwords& passwords,
         Attempts& attempts, const mail::Store& mails, SignUp sign_up)
    : database_(database),
      store_(store),
      sessions_(sessions),
      passwords_(passwords),
      attempts_(attempts),
      mails_(mails),
      sign_up_(sign_up) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/auth/register", chassis::everybody(), &Api::sign_up);
  routes.post("/api/auth/password-reset", chassis::everybody(), &Api::request_reset);
  routes.post("/api/auth/password", chassis::everybody(), &Api::set_password);
  routes.get("/api/user", chassis::AnyPerson{}, &Api::find);
  routes.post("/api/user", chassis::AnyPerson{}, &Api::update);
}

namespace {

Register check(Register body) {
  http::Faults faults;
  faults.check_text("/name", body.name, 1, 255);
  check_email(faults, "/email", body.email);
  check_new_password(faults, "/password", body.password);
  if (body.organizationName) faults.check_text("/organizationName", *body.organizationName, 1, 255);
  faults.throw_if_any();
  return body;
}

RequestPasswordReset check(RequestPasswordReset body) {
  http::Faults faults;
  check_email(faults, "/email", body.email);
  if (faults.empty() && !mail::is_mailable(body.email))
    faults.add("/email", "must be of ASCII letters, digits and common signs: mail is sent to no other");
  faults.throw_if_any();
  return body;
}

SetPassword check(SetPassword body) {
  http::Faults faults;
  check_new_password(faults, "/password", body.password);
  faults.throw_if_any();
  return body;
}

UpdateUser check(UpdateUser body) {
  http::Faults faults;
  if (body.name) faults.check_text("/name", *body.name, 1, 255);
  if (body.password) check_new_password(faults, "/password", *body.password);
  if (body.oldPassword) check_password(faults, "/oldPassword", *body.oldPassword);
  if (body.oldPassword && !body.password) faults.add("/password", "is missing: the new one beside oldPassword");
  faults.throw_if_any();
  return body;
}

http::Problem wrong_old_password(std::string detail) {
  return http::Problem({.status = 400, .detail = "/oldPassword " + detail, .errors = {{"/oldPassword", detail}}});
}

// A person without a password has no session, only an API key, which is meant to end.
http::Problem no_first_password() {
  return http::Problem({.status = 403,
                        .detail = "an API key sets no first password: POST /api/auth/password does, with a token from "
                                  "who operates this service (parley-organizations password-token)",
                        .errors = {{"/password", "is the first one"}}});
}

http::Problem no_mail() {
  return http::Problem({.status = 409,
                        .detail = "this service sends no mail: who operates it makes a token for a new password "
                                  "(parley-organizations password-token)"});
}

http::Problem no_person() { return chassis::not_found("this account is no more"); }

}  // namespace

awaitable<http::Response> Api::sign_up(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<Register>());
  if (sign_up_ == SignUp::closed)
    throw http::Problem({.status = 403, .detail = "sign-up is closed here: ask for an invitation"});
  auto place = co_await passwords_.enter(call.scope.client_address, Passwords::Caller::stranger);
  co_await attempts_.begin(attempts_.sign_up(call.scope.client_address));
  auto hash = co_await passwords_.hash(std::move(place), std::move(body.password));

  change.answer_is_secret();
  const audit::Actor from{{}, {}, "", call.scope.client_address, call.scope.request_id};
  NewPerson person{std::move(body.name), std::move(body.email), hash, std::move(body.organizationName)};
  const auto id = co_await store_.create(change, std::move(person), from);
  auto session = co_await sessions_.open(change, id, std::move(hash), sessions::origin_of(call));
  co_await attempts_.remember(change, id, call.scope.client_address);
  auto profile = co_await store_.profile(change, id);
  change.add_once(contracts::organizations::kSessionField, session.value().cookie());
  const sessions::SessionResponse answer{std::move(session.value()), std::move(profile->user),
                                         std::move(profile->organizations)};
  auto response = http::created(answer, "/api/user");
  response.add("Cache-Control", "no-store");
  co_return response;
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  call.query<NoParameters>();
  auto profile = co_await store_.profile(call.identity.person_id);
  if (!profile) throw no_person();
  co_return http::json_response(*profile);
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<UpdateUser>());
  std::optional<PasswordChange> password;
  if (body.password) password = co_await prepare(call, body);

  const auto person = call.identity.person_id;
  co_await store_.change(change, person, std::move(body.name), std::move(password), audit::actor_of(call));
  if (body.password) co_await attempts_.remember(change, person, call.scope.client_address);
  auto profile = co_await store_.profile(change, person);
  if (!profile) throw no_person();
  co_return http::json_response(*profile);
}

// Does the same for every address, so that neither the answer nor its time tells whose it is.
awaitable<http::Response> Api::request_reset(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<RequestPasswordReset>());
  if (!mails_.is_on()) throw no_mail();
  const auto& from = call.scope.client_address;
  const auto found = co_await store_.find_address(body.email);
  const bool is_known = co_await attempts_.knows(found.id.value_or(model::Uuid{}), from);
  co_await attempts_.begin(attempts_.mails_from(from));
  co_await attempts_.begin(attempts_.mails_to(found.address, from, is_known));
  co_await mails_.request(change, std::move(body.email));
  co_return http::no_content();
}

// The token authorizes. No transaction waits while the password is hashed.
awaitable<http::Response> Api::set_password(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<SetPassword>());
  const auto token = PasswordToken::parse(body.token);
  if (!token) throw bad_password_token();
  co_await check_token(database_, *token);
  auto place = co_await passwords_.enter(call.scope.client_address, Passwords::Caller::known);
  auto hash = co_await passwords_.hash(std::move(place), std::move(body.password));

  const audit::Actor from{{}, {}, "", call.scope.client_address, call.scope.request_id};
  co_await users::set_password(change, *token, std::move(hash), from);
  co_await attempts_.remember(change, token->person_id, call.scope.client_address);
  co_return http::no_content();
}

// Outside the transaction, as hashing is slow. Counts as an attempt, so that a stolen session cannot guess passwords.
awaitable<PasswordChange> Api::prepare(chassis::Call& call, const UpdateUser& body) {
  const auto account = co_await store_.find_account(call.identity.person_id);
  if (!account) throw no_person();
  if (!account->password_hash) throw no_first_password();
  if (!body.oldPassword) throw wrong_old_password("is required: the password that is to be replaced");
  const auto& address = call.scope.client_address;
  const bool is_known = co_await attempts_.knows(account->id, address);
  const auto subjects = attempts_.sign_in(account->id.text(), address, is_known);
  auto place = co_await passwords_.enter(address, Passwords::Caller::known);
  co_await attempts_.begin(subjects);
  const bool right = co_await passwords_.verify(place, account->password_hash, *body.oldPassword);
  if (!right) throw wrong_old_password("is not your password");
  co_await attempts_.succeeded(subjects);
  auto hash = co_await passwords_.hash(std::move(place), *body.password);
  co_return PasswordChange{*account->password_hash, std::move(hash), model::Uuid::parse(call.identity.credential_id)};
}

}  // namespace parley::organizations::users
