#include "organizations/credentials/api.hpp"

namespace parley::organizations::credentials {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : process_(process), store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/auth/api-keys/regenerate", Permission::regenerate_api_key, &Api::regenerate);
  routes.post("/internal/credentials/verify", chassis::Services{{"gateway"}}, &Api::verify);
}

namespace {

// More at once are not noted: a minute later they are due again.
constexpr std::size_t kMostNoted = 32;

// A GET that changes something: a HEAD, which the router serves by the GET, would throw the new key away.
void refuse_head(const http::Request& request) {
  if (request.method != http::Method::head) return;
  throw http::Problem{.status = 405, .detail = "this resource knows only GET", .head = "Allow: GET\r\n"};
}

}  // namespace

awaitable<http::Response> Api::regenerate(chassis::Call& call) {
  refuse_head(call.request);
  call.query<NoParameters>();
  const ApiKeyAnswer answer{co_await store_.regenerate(call.organization(), call.identity.member_id)};
  auto response = http::json_response(answer);
  response.add("Cache-Control", "no-store");
  co_return response;
}

awaitable<http::Response> Api::verify(chassis::Call& call) {
  const auto body = co_await call.body<Verify>();
  const auto verdict = co_await store_.verify(body.key, body.organizationId);
  if (verdict.use_is_due && noting_.size() < kMostNoted && noting_.insert(body.key.credentialId).second)
    process_.spawn("noting a key's use", note_use(body.key));
  co_return http::json_response(verdict.verified);
}

awaitable<void> Api::note_use(PresentedKey key) {
  struct Noted {
    std::unordered_set<model::Uuid>& noting;
    model::Uuid id;
    ~Noted() { noting.erase(id); }
  } noted{noting_, key.credentialId};
  co_await store_.note_use(key.organizationId, key.credentialId);
}

}  // namespace parley::organizations::credentials
