#include "organizations/sessions/api.hpp"

#include "common/chassis/change.hpp"
#include "common/contracts/organizations.hpp"
#include "common/model/text.hpp"
#include "organizations/second_factor/problems.hpp"

#include <algorithm>

namespace parley::organizations::sessions {

Api::Api(chassis::Process& process, Store& store, users::Store& users, users::Passwords& passwords,
         users::Attempts& attempts, second_factor::Store& second_factor)
    : store_(store), users_(users), passwords_(passwords), attempts_(attempts), second_factor_(second_factor) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/auth/login", chassis::everybody(), &Api::login);
  routes.post("/api/auth/logout", chassis::AnyPerson{}, &Api::logout);
  routes.get("/api/auth/sessions", chassis::AnyPerson{}, &Api::list);
  routes.del("/api/auth/sessions/{id}", chassis::AnyPerson{}, &Api::remove);
}

namespace {

Login check(Login body) {
  http::Faults faults;
  faults.check_text("/email", body.email, 1, 254);
  users::check_password(faults, "/password", body.password);
  if (body.code) faults.check_text("/code", *body.code, 1, second_factor::kMaxCode);
  faults.throw_if_any();
  return body;
}

// The same for an unknown account and a wrong password.
http::Problem refused() {
  return http::Problem({.status = 401,
                        .detail = "the e-mail address or the password is wrong",
                        .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n"});
}

// Nobody is signed in yet: the entry's organizations and member are those of the account.
audit::Actor actor_of(const chassis::Call& call) {
  return {{}, {}, "", call.scope.client_address, call.scope.request_id};
}

// The id of the request's credential, which may be an API key.
model::Uuid own_session(const chassis::Call& call) {
  return model::Uuid::parse(call.identity.credential_id).value_or(model::Uuid{});
}

}  // namespace

// No transaction waits while the password is hashed.
awaitable<http::Response> Api::login(chassis::Call& call, chassis::Change& change) {
  auto body = check(co_await call.body<Login>());
  auto code = std::move(body.code);
  const auto account = co_await authenticate(call, std::move(body));
  const auto proof = co_await require_code(call, account, std::move(code));

  change.answer_is_secret();
  auto session = co_await store_.open(change, account.id, *account.password_hash, origin_of(call), proof.has_value());
  if (!session) throw refused();  // the password was changed meanwhile
  const bool is_used = !proof || co_await second_factor_.use(change, account.id, *proof);
  if (!is_used) throw second_factor::code_needed(second_factor::kWrongCode);
  co_await store_.tell_opened(change, account.id, *session, actor_of(call));
  co_await attempts_.remember(change, account.id, call.scope.client_address);
  auto profile = co_await users_.profile(change, account.id);
  change.add_once(contracts::organizations::kSessionField, session->cookie());
  const SessionResponse answer{std::move(*session), std::move(profile->user), std::move(profile->organizations)};
  auto response = http::json_response(answer);
  response.add("Cache-Control", "no-store");
  co_return response;
}

// Does the same work for an account that does not exist, so that timing reveals nothing.
awaitable<users::AccountRow> Api::authenticate(const chassis::Call& call, Login login) {
  const auto& address = call.scope.client_address;
  auto account = co_await users_.find_account(login.email);
  const bool is_known = co_await attempts_.knows(account ? account->id : model::Uuid{}, address);
  const auto subjects =
      attempts_.sign_in(account ? account->id.text() : model::lower_case(login.email), address, is_known);
  auto place = co_await passwords_.enter(
      address, is_known ? users::Passwords::Caller::known : users::Passwords::Caller::stranger);
  co_await attempts_.begin(subjects);
  const auto stored = account ? account->password_hash : std::nullopt;
  const bool right = co_await passwords_.verify(std::move(place), stored, std::move(login.password));
  if (!right) {
    co_await attempts_.failed(subjects, account ? account->id : model::Uuid{}, actor_of(call));
    throw refused();
  }
  co_await attempts_.succeeded(subjects);
  co_return std::move(*account);
}

// Only who knows the password learns that a code is needed.
awaitable<std::optional<second_factor::Proof>> Api::require_code(const chassis::Call& call,
                                                                 const users::AccountRow& account,
                                                                 std::optional<std::string> code) {
  if (!account.has_second_factor) co_return std::nullopt;
  if (!code) throw second_factor::code_needed(second_factor::kNoCode);
  auto proof = co_await second_factor_.check(account.id, std::move(*code), call.scope.client_address,
                                             second_factor::Store::State::on);
  if (!proof) {
    co_await attempts_.failed({}, account.id, actor_of(call));
    throw second_factor::code_needed(second_factor::kWrongCode);
  }
  co_return proof;
}

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = http::read_page_filter(call.query<ListQuery>(), http::Order::desc);
  auto page = co_await store_.list(call.identity.person_id, own_session(call), filter);
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.sessions), page.total,
                                              [](const ListedSession&) { return std::string(); });
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const bool closed = co_await store_.close(change, call.identity.person_id, call.id());
  if (!closed) throw chassis::not_found("you have no session with this id");
  co_return http::no_content();
}

awaitable<http::Response> Api::logout(chassis::Call& call, chassis::Change& change) {
  const bool closed = co_await store_.close(change, call.identity.person_id, own_session(call));
  if (!closed)
    throw http::Problem({.status = 409,
                         .detail = "this credential is no session: an API key is ended by DELETE "
                                   "/api/auth/api-keys/{id}"});
  change.add_once(contracts::organizations::kSessionField, contracts::organizations::kNoSession);
  co_return http::no_content();
}

}  // namespace parley::organizations::sessions
