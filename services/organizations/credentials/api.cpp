#include "organizations/credentials/api.hpp"

#include "common/chassis/change.hpp"

#include <chrono>

namespace parley::organizations::credentials {

using identity::Permission;

Api::Api(chassis::Process& process, pg::Pool& database, Store& store, CredentialVerifier& verdicts)
    : process_(process), database_(database), store_(store), verdicts_(verdicts) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/auth/api-keys/regenerate", Permission::regenerate_api_key, &Api::regenerate);
  routes.get("/api/auth/api-keys", Permission::get_api_key, &Api::list);
  routes.post("/api/auth/api-keys", Permission::regenerate_api_key, &Api::create);
  routes.get("/api/auth/api-keys/{id}", Permission::get_api_key, &Api::find);
  routes.del("/api/auth/api-keys/{id}", Permission::regenerate_api_key, &Api::remove);
  routes.serve(contracts::organizations::verify, &Api::verify);
}

namespace {

// Further uses are skipped; they are due again a minute later.
constexpr std::size_t kMaxNoted = 32;

// This GET has an effect. The router serves HEAD by GET, which would discard the new key.
void refuse_head(const http::Request& request) {
  if (request.method != http::Method::head) return;
  throw http::Problem({.status = 405, .detail = "this resource knows only GET", .head = "Allow: GET\r\n"});
}

http::Problem no_key() { return chassis::not_found("there is no API key with this id"); }

CreateKey check(CreateKey body) {
  http::Faults faults;
  faults.check_text("/name", body.name, 1, 255);
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  if (body.expiresAt && body.expiresAt->milliseconds_since_epoch <= now.count())
    faults.add("/expiresAt", "must be in the future");
  faults.throw_if_any();
  return body;
}

// Members see their own keys; other members' take the permission to update members, and ending these a level not below.
bool may_see(const chassis::Call& call, const OwnedKey& key) {
  return key.member_id == call.identity.member_id || call.may(Permission::update_organization_member);
}

http::Response secret(http::Response response) {
  response.add("Cache-Control", "no-store");
  return response;
}

}  // namespace

awaitable<http::Response> Api::regenerate(chassis::Call& call) {
  refuse_head(call.request);
  call.query<NoParameters>();
  const auto caller = authorization::caller_of(call);
  auto transaction = co_await database_.begin();
  co_await authorization::lock_live(transaction, caller, call.identity.person_id, Permission::regenerate_api_key);
  const auto maker = co_await store_.lock_maker(transaction, call.identity.person_id, caller.actor.credential_id);
  const ApiKeyResponse answer{co_await store_.regenerate(transaction, caller, maker)};
  co_await transaction.commit();
  co_return secret(http::json_response(answer));
}

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto query = call.query<ListQuery>();
  const auto filter = http::read_page_filter(query);
  const auto member = query.member_id.value_or(call.identity.member_id);
  if (member != call.identity.member_id && !call.may(Permission::update_organization_member))
    throw chassis::lacking(Permission::update_organization_member);
  auto page = co_await store_.list(call.organization(), member, filter);
  const auto sorted_by = [&](const ListedKey& last) { return filter.sort_by == SortBy::name ? last.name : ""; };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.keys), page.total, sorted_by);
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto key = check(co_await call.body<CreateKey>());
  change.answer_is_secret();
  const auto caller = authorization::caller_of(call);
  co_await authorization::lock_live(change, caller, call.identity.person_id, Permission::regenerate_api_key);
  const auto maker = co_await store_.lock_maker(change, call.identity.person_id, caller.actor.credential_id);
  const MadeKeyResponse answer{co_await store_.create(change, caller.actor, caller.member(), std::move(key), maker)};
  co_return secret(http::created(answer, "/api/auth/api-keys/" + answer.apiKey.uniqueId.text()));
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto found = co_await store_.find(call.organization(), call.id());
  if (!found || !may_see(call, *found)) throw no_key();
  call.show_version(found->version);
  co_return http::json_response(ListedKeyResponse{std::move(found->key)});
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  const auto caller = authorization::caller_of(call);
  const auto now = co_await authorization::lock(change, caller, Permission::regenerate_api_key);
  auto locked = co_await store_.lock(change, call.organization(), call.id());
  if (!locked || !may_see(call, *locked)) throw no_key();
  call.require_version(locked->version);
  if (locked->member_id != caller.member()) authorization::check_level(now, locked->level, "");
  co_await store_.revoke(change, caller, std::move(*locked));
  co_return http::no_content();
}

awaitable<Verified> Api::verify(chassis::Call&, contracts::organizations::Verify body) {
  if (body.key.has_value() == body.session.has_value())
    throw http::Problem({.status = 400, .detail = "either a key or a session is to be verified"});
  if (body.key) co_return co_await verify_one(std::move(*body.key), body.organizationId);
  co_return co_await verify_one(std::move(*body.session), body.organizationId);
}

template <class Credential>
awaitable<Verified> Api::verify_one(Credential credential, std::optional<model::Uuid> organization) {
  auto verdict = co_await verdicts_.verify(credential, organization);
  const auto id = verdict.verified.credentialId;
  if (verdict.use_is_due && noting_.size() < kMaxNoted && noting_.insert(id).second)
    process_.spawn("noting a credential's use", note_use(std::move(credential), id));
  co_return std::move(verdict.verified);
}

template <class Credential>
awaitable<void> Api::note_use(Credential credential, model::Uuid id) {
  struct Noted {
    std::unordered_set<model::Uuid>& noting;
    model::Uuid id;
    ~Noted() { noting.erase(id); }
  } noted{noting_, id};
  co_await verdicts_.note_use(std::move(credential));
}

}  // namespace parley::organizations::credentials
