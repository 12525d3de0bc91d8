#include "common/chassis/pipeline.hpp"

#include <algorithm>

#include "common/http/etag.hpp"

namespace parley::chassis {

void Call::require(identity::Permission permission) const {
  if (!may(permission)) throw lacking(permission);
}

model::Uuid Call::id() const {
  const auto id = model::Uuid::parse(parameters.values[0]);
  if (!id) throw not_found("there is nothing with this id");
  return *id;
}

void Call::degraded(std::string_view context) {
  if (degraded_.find(context) != degraded_.npos) return;  // already listed
  degraded_.append(degraded_.empty() ? "" : ", ").append(context);
}

void Call::require_version(std::string_view version) const {
  if (!request.has("If-Match") || http::matches_version(request, version)) return;
  throw http::Problem({.status = 412, .detail = "this is not any more what If-Match names: read it again"});
}

http::Problem lacking(identity::Permission permission) {
  return http::Problem(
      {.status = 403, .detail = "this needs the permission " + std::string(identity::name_of(permission))});
}

http::Problem not_found(std::string_view what) { return http::Problem({.status = 404, .detail = std::string(what)}); }

namespace {

http::Problem second_factor_required() {
  return http::Problem({.status = 403,
                        .detail = "this organization requires a second factor of its members, and you have none: POST "
                                  "/api/user/second-factor begins one",
                        .type = "/docs/sign-in#second-factor-required",
                        .title = "The organization requires a second factor"});
}

bool is_not_to_be_stored(const http::Response& response) {
  return response.head.find("no-store") != response.head.npos;
}

}  // namespace

Pipeline::Pipeline(Boundary& boundary, identity::Verifier& verifier, Metrics& metrics)
    : boundary_(boundary),
      verifier_(verifier),
      degraded_(metrics.counters("http_degraded_answers_total", "Answers without a part that another context owed")),
      work_([this](http::Request& request, RequestContext& scope) { return work(request, scope); }) {}

void Pipeline::add(http::Method method, std::string_view pattern, Guard guard, Handler handler) {
  router_.add(method, pattern);
  routes_.push_back({std::move(guard), std::move(handler),
                     boundary_.route(std::string(http::name_of(method)), std::string(pattern)),
                     method == http::Method::get && pattern.find('{') != pattern.npos});
}

awaitable<http::Response> Pipeline::serve(http::Request& request) { return boundary_.run(request, work_); }

awaitable<http::Response> Pipeline::work(http::Request& request, RequestContext& scope) {
  const auto match = router_.match(request.method, request.path);
  scope.pattern = match.pattern;
  if (!match.found && match.allow.empty()) throw not_found("there is no such resource");
  if (!match.found)
    throw http::Problem(
        {.status = 405, .detail = "this resource knows only " + match.allow, .head = "Allow: " + match.allow + "\r\n"});
  const Route& route = routes_[match.route];
  scope.metrics = route.metrics.get();

  // Verified although the gateway did so, as a request that bypasses the gateway must not be served.
  const auto identity = verifier_.verify(request.field(identity::kField));
  if (!identity)
    throw http::Problem({.status = 401,
                         .detail = "a valid credential is needed",
                         .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n"});
  if (identity->is_member()) identity->organization_id.append_to(scope.organization_id);
  request.owner.name = scope.organization_id;
  scope.credential_id = identity->credential_id;
  scope.client_address = request.field("Parley-Client-Address");
  check(route, *identity);

  Call call(request, *identity, match.parameters, scope);
  auto response = co_await route.handler(call);
  if (!call.degraded_contexts().empty()) {
    response.add("Parley-Degraded", call.degraded_contexts());
    count_degraded(call.degraded_contexts());
  } else if (route.has_tag && response.status == 200 && !response.stream && !is_not_to_be_stored(response)) {
    http::add_etag(request, response, call.version_);
  }
  // shrink_to_fit() because growth may have doubled the capacity, and the capacity is what counts.
  if (response.body.size() >= http::AnswerRoom::kLong) response.body.shrink_to_fit();
  request.expect_answer(response.body.capacity());
  co_return response;
}

// "contacts, organizations"
void Pipeline::count_degraded(std::string_view contexts) {
  while (!contexts.empty()) {
    const auto end = std::min(contexts.find(", "), contexts.size());
    degraded_.Add({{"context", std::string(contexts.substr(0, end))}}).Increment();
    contexts.remove_prefix(std::min(end + 2, contexts.size()));
  }
}

void Pipeline::check(const Route& route, const identity::Identity& identity) const {
  if (const auto* services = std::get_if<Services>(&route.guard)) {
    if (std::find(services->names.begin(), services->names.end(), identity.service) != services->names.end()) return;
    throw not_found("there is no such resource");
  }
  if (std::holds_alternative<Anyone>(route.guard) && (!identity.is_service() || identity.service == "gateway")) return;
  // Other services use internal routes only, because these routes depend on what a member may see.
  if (identity.is_service()) throw http::Problem({.status = 403, .detail = "this route is for members"});
  if (std::holds_alternative<AnyPerson>(route.guard)) return;
  if (identity.lacks_second_factor) throw second_factor_required();
  if (!identity.is_member()) throw http::Problem({.status = 403, .detail = "you are a member of no organization"});
  const auto require = [&](identity::Permission permission) {
    if (!identity.permissions.has(permission)) throw lacking(permission);
  };
  if (const auto* permission = std::get_if<identity::Permission>(&route.guard)) require(*permission);
  if (const auto* all = std::get_if<AllOf>(&route.guard)) std::ranges::for_each(all->permissions, require);
}

}  // namespace parley::chassis
