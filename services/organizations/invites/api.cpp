#include "organizations/invites/api.hpp"

#include "common/chassis/change.hpp"
#include "common/contracts/organizations.hpp"
#include "common/model/text.hpp"
#include "organizations/mail/message.hpp"

namespace parley::organizations::invites {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, sessions::Store& sessions, users::Passwords& passwords,
         users::Attempts& attempts, const mail::Store& mails)
    : store_(store), sessions_(sessions), passwords_(passwords), attempts_(attempts), mails_(mails) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/organization/invites", Permission::get_organization_member, &Api::list);
  routes.post("/api/organization/invites", Permission::create_organization_member, &Api::create);
  routes.get("/api/organization/invites/{id}", Permission::get_organization_member, &Api::find);
  routes.del("/api/organization/invites/{id}", Permission::create_organization_member, &Api::revoke);
  routes.post("/api/auth/join-organization", chassis::Anyone{}, &Api::join);
}

namespace {

constexpr std::size_t kMaxRoles = 100;

http::Problem no_invite() { return chassis::not_found("there is no invitation with this id"); }

Filter check(const ListQuery& query) { return {http::read_page_filter(query), query.status}; }

NewInvite check(CreateInvite body) {
  http::Faults faults;
  users::check_email(faults, "/email", body.email);
  if (body.roles && body.roles->size() > kMaxRoles)
    faults.add("/roles", "must be at most " + std::to_string(kMaxRoles));
  faults.throw_if_any();
  return {std::move(body.email), body.accessLevel.value_or(model::AccessLevel::Member),
          body.roles.value_or(std::vector<model::Uuid>{})};
}

// A caller without an account must give a name and a password.
void check_account(const Join& body) {
  http::Faults faults;
  if (body.name)
    faults.check_text("/name", *body.name, 1, 255);
  else
    faults.add("/name", "is required of who has not signed in");
  if (body.password)
    users::check_new_password(faults, "/password", *body.password);
  else
    faults.add("/password", "is required of who has not signed in");
  faults.throw_if_any();
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [&](const PageInvite& last) { return filter.sort_by == SortBy::email ? last.email : ""; };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.shown.records), page.total,
                                              sorted_by, page.shown.cut);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto invite = co_await store_.find(call.organization(), call.id());
  if (!invite) throw no_invite();
  call.show_version(invite->version);
  co_return http::json_response(InviteResponse{std::move(*invite)});
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto invite = check(co_await call.body<CreateInvite>());
  change.answer_is_secret();
  auto created = co_await create(change, authorization::caller_of(call), std::move(invite));
  const CreatedResponse answer{std::move(created.invite), created.token.text()};
  auto response = http::created(answer, "/api/organization/invites/" + answer.invite.uniqueId.text());
  response.add("Cache-Control", "no-store");
  co_return response;
}

// With a mail to the invited, where mails are sent and one can be sent there.
awaitable<Created> Api::create(chassis::Change& change, authorization::Caller caller, NewInvite invite) {
  if (!mails_.is_on() || !mail::is_mailable(invite.email))
    co_return co_await store_.create(change, std::move(caller), std::move(invite));
  const auto subjects = attempts_.invitation(caller.organization(), model::lower_case(invite.email));
  co_await attempts_.refuse_if_locked(subjects);
  auto created = co_await store_.create(change, std::move(caller), std::move(invite));
  co_await attempts_.count(change, subjects);
  co_await mails_.invite(change, created.token.text());
  co_return created;
}

awaitable<http::Response> Api::revoke(chassis::Call& call, chassis::Change& change) {
  auto invite = co_await store_.lock(change, authorization::caller_of(call), call.id());
  if (!invite) throw no_invite();
  call.require_version(invite->version);
  co_await store_.revoke(change, authorization::caller_of(call), std::move(*invite));
  co_return http::no_content();
}

// The token authorizes; callers without a session or key create an account. No transaction waits for the hash.
awaitable<http::Response> Api::join(chassis::Call& call, chassis::Change& change) {
  auto body = co_await call.body<Join>();
  const bool has_account = !call.identity.is_service();
  if (!has_account) check_account(body);
  const auto token = Token::parse(body.token);
  if (!token) throw bad_token();
  Joiner joiner = call.identity.person_id;
  std::string password_hash;
  if (!has_account) {
    co_await store_.check(*token);
    auto place = co_await passwords_.enter(call.scope.client_address, users::Passwords::Caller::known);
    auto hash = co_await passwords_.hash(std::move(place), std::move(*body.password));
    password_hash = hash;
    joiner = NewAccount{std::move(*body.name), std::move(hash)};
  }

  const audit::Actor from{{}, {}, call.scope.credential_id, call.scope.client_address, call.scope.request_id};
  const auto answer = co_await store_.accept(change, *token, std::move(joiner), from);
  // For browsers: nobody else is told its token.
  if (!has_account) {
    const auto session =
        co_await sessions_.open(change, answer.person, std::move(password_hash), sessions::origin_of(call));
    change.add_once(contracts::organizations::kSessionField, session.value().cookie());
  }
  co_return http::created(answer, "/api/organization/members/" + answer.member.uniqueId.text());
}

}  // namespace parley::organizations::invites
