#include "organizations/second_factor/api.hpp"

#include "common/chassis/change.hpp"
#include "organizations/second_factor/problems.hpp"

namespace parley::organizations::second_factor {

Api::Api(chassis::Process& process, Store& store, users::Store& users, users::Passwords& passwords,
         users::Attempts& attempts)
    : store_(store), users_(users), passwords_(passwords), attempts_(attempts) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/user/second-factor", chassis::AnyPerson{}, &Api::begin);
  routes.post("/api/user/second-factor/confirm", chassis::AnyPerson{}, &Api::confirm);
  routes.post("/api/user/second-factor/recovery-codes", chassis::AnyPerson{}, &Api::replace_codes);
  routes.post("/api/user/second-factor/disable", chassis::AnyPerson{}, &Api::disable);
}

namespace {

Begin check(Begin body) {
  http::Faults faults;
  users::check_password(faults, "/password", body.password);
  faults.throw_if_any();
  return body;
}

Confirm check(Confirm body) {
  http::Faults faults;
  faults.check_text("/code", body.code, 1, kMaxCode);
  faults.throw_if_any();
  return body;
}

Prove check(Prove body) {
  http::Faults faults;
  if (body.password) users::check_password(faults, "/password", *body.password);
  if (body.code) faults.check_text("/code", *body.code, 1, kMaxCode);
  if (body.password.has_value() == body.code.has_value()) faults.add("", "must have either password or code");
  faults.throw_if_any();
  return body;
}

http::Problem wrong(const std::string& pointer, const std::string& detail) {
  return http::Problem({.status = 400, .detail = pointer + " " + detail, .errors = {{pointer, detail}}});
}

// A person with API keys alone.
http::Problem no_password() {
  return http::Problem(
      {.status = 409, .detail = "you have no password, and do not sign in: there is nothing to protect"});
}

http::Response secret(http::Response response) {
  response.add("Cache-Control", "no-store");
  return response;
}

}  // namespace

awaitable<http::Response> Api::begin(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<Begin>());
  co_await require_password(call, std::move(body.password));
  change.answer_is_secret();
  const BegunResponse answer{co_await store_.begin(change, call.identity.person_id)};
  co_return secret(http::json_response(answer));
}

awaitable<http::Response> Api::confirm(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<Confirm>());
  auto proof = co_await require_code(call, std::move(body.code), Store::State::begun);
  change.answer_is_secret();
  const RecoveryCodesResponse answer{
      co_await store_.confirm(change, call.identity.person_id, std::move(proof), audit::actor_of(call))};
  co_return secret(http::json_response(answer));
}

awaitable<http::Response> Api::replace_codes(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<Prove>());
  auto proof = co_await require(call, std::move(body));
  change.answer_is_secret();
  const RecoveryCodesResponse answer{
      co_await store_.replace_codes(change, call.identity.person_id, std::move(proof), audit::actor_of(call))};
  co_return secret(http::json_response(answer));
}

awaitable<http::Response> Api::disable(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<Prove>());
  auto proof = co_await require(call, std::move(body));
  co_await store_.switch_off(change, call.identity.person_id, std::move(proof), audit::actor_of(call));
  co_return http::no_content();
}

// What follows asks again who has signed in, so that a stolen session, or an API key, changes nothing here. It counts
// as an attempt, and is outside of the transaction, which must not wait for it.

awaitable<void> Api::require_password(chassis::Call& call, std::string password) {
  const auto account = co_await users_.find_account(call.identity.person_id);
  if (!account) throw chassis::not_found("this account is no more");
  if (!account->password_hash) throw no_password();
  const auto& address = call.scope.client_address;
  const bool is_known = co_await attempts_.knows(account->id, address);
  const auto subjects = attempts_.sign_in(account->id.text(), address, is_known);
  auto place = co_await passwords_.enter(address, users::Passwords::Caller::known);
  co_await attempts_.begin(subjects);
  const bool right = co_await passwords_.verify(std::move(place), account->password_hash, std::move(password));
  if (!right) throw wrong("/password", "is not your password");
  co_await attempts_.succeeded(subjects);
}

awaitable<Proof> Api::require_code(chassis::Call& call, std::string code, Store::State state) {
  auto proof = co_await store_.check(call.identity.person_id, std::move(code), call.scope.client_address, state);
  if (!proof) throw wrong("/code", kWrongCode);
  co_return std::move(*proof);
}

awaitable<std::optional<Proof>> Api::require(chassis::Call& call, Prove body) {
  if (body.code) co_return co_await require_code(call, std::move(*body.code), Store::State::on);
  co_await require_password(call, std::move(*body.password));
  co_return std::nullopt;
}

}  // namespace parley::organizations::second_factor
