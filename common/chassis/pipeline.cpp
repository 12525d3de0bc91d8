#include "common/chassis/pipeline.hpp"

#include <algorithm>

namespace parley::chassis {

model::Uuid Call::id() const {
  const auto id = model::Uuid::parse(parameters.values[0]);
  if (!id) throw not_found("there is nothing with this id");
  return *id;
}

http::Problem not_found(std::string_view what) { return http::Problem{.status = 404, .detail = std::string(what)}; }

Pipeline::Pipeline(Boundary& boundary, identity::Verifier& verifier, Metrics& metrics)
    : boundary_(boundary),
      verifier_(verifier),
      degraded_(metrics.counters("http_degraded_answers_total", "Answers without a part that another context owed")),
      work_([this](http::Request& request, Scope& scope) { return work(request, scope); }) {}

void Pipeline::add(http::Method method, std::string_view pattern, Guard guard, Handler handler) {
  router_.add(method, pattern);
  routes_.push_back({std::move(guard), std::move(handler),
                     boundary_.route(std::string(http::name_of(method)), std::string(pattern))});
}

awaitable<http::Response> Pipeline::serve(http::Request& request) { return boundary_.run(request, work_); }

awaitable<http::Response> Pipeline::work(http::Request& request, Scope& scope) {
  const auto match = router_.match(request.method, request.path);
  if (!match.found && match.allow.empty()) throw not_found("there is no such resource");
  if (!match.found)
    throw http::Problem{
        .status = 405, .detail = "this resource knows only " + match.allow, .head = "Allow: " + match.allow + "\r\n"};
  const Route& route = routes_[match.route];
  scope.metrics = route.metrics.get();

  // Verified here though the gateway did: what reaches this port by another way has no identity and gets no answer.
  const auto identity = verifier_.verify(request.field(identity::kField));
  if (!identity)
    throw http::Problem{.status = 401,
                        .detail = "a valid credential is needed",
                        .head = "WWW-Authenticate: Bearer realm=\"parley\"\r\n"};
  if (!identity->is_service()) identity->organization_id.append_to(scope.organization_id);
  scope.credential_id = identity->credential_id;
  check(route, *identity);

  Call call(request, *identity, match.parameters, scope);
  auto response = co_await route.handler(call);
  if (!call.degraded_contexts().empty()) {
    response.add("Parley-Degraded", call.degraded_contexts());
    degraded_.Add({{"route", route.metrics->route()}}).Increment();
  }
  co_return response;
}

void Pipeline::check(const Route& route, const identity::Identity& identity) const {
  if (const auto* services = std::get_if<Services>(&route.guard)) {
    if (std::find(services->names.begin(), services->names.end(), identity.service) != services->names.end()) return;
    throw not_found("there is no such resource");
  }
  // Services read through internal routes only, and what a member may not see is not there for them.
  if (identity.is_service()) throw http::Problem{.status = 403, .detail = "this route is for members"};
  const auto* permission = std::get_if<identity::Permission>(&route.guard);
  if (permission && !identity.permissions.has(*permission))
    throw http::Problem{.status = 403,
                        .detail = "this needs the permission " + std::string(identity::name_of(*permission))};
}

}  // namespace parley::chassis
