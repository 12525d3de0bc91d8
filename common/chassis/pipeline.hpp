#pragma once
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include "common/chassis/boundary.hpp"
#include "common/http/body.hpp"
#include "common/http/query.hpp"
#include "common/http/router.hpp"
#include "common/identity/token.hpp"

namespace parley::chassis {

// A request on its way through a service's handler: what came, who calls, and what the answer will carry beside its
// body.
class Call {
 public:
  Call(http::Request& request_, const identity::Identity& identity_, const http::PathParameters& parameters_,
       Scope& scope_)
      : request(request_), identity(identity_), parameters(parameters_), scope(scope_) {}

  http::Request& request;
  const identity::Identity& identity;
  const http::PathParameters& parameters;
  Scope& scope;

  const model::Uuid& organization() const { return identity.organization_id; }
  bool may(identity::Permission permission) const { return identity.permissions.has(permission); }
  // The path's {id}. What is not an id names nothing: a Problem 404, as for an unknown one.
  model::Uuid id() const;
  template <model::Described T>
  T query() const {
    return http::read_query<T>(request.query);
  }
  template <model::Described T>
  awaitable<T> body() {
    return http::read_body<T>(request);
  }
  // Notes that a part of the answer is missing as its context could not be reached: header Parley-Degraded.
  void degraded(std::string_view context) { degraded_.append(degraded_.empty() ? "" : ", ").append(context); }
  const std::string& degraded_contexts() const { return degraded_; }

 private:
  std::string degraded_;
};

// The Problem that absence is, the same for unknown ids and those of other organizations.
http::Problem not_found(std::string_view what);

// Who may use a route: holders of a permission, any member, or a closed list of services.
struct AnyMember {};
struct Services {
  std::vector<std::string_view> names;
};
using Guard = std::variant<identity::Permission, AnyMember, Services>;

class Pipeline;

// Routes of one api object: routes.get("/api/contacts/{id}", Permission::get_contact, &Api::find).
template <class Api>
class Routes {
 public:
  using Handler = awaitable<http::Response> (Api::*)(Call&);
  Routes(Pipeline& pipeline, Api& api) : pipeline_(pipeline), api_(api) {}
  void get(std::string_view pattern, Guard guard, Handler handler) { add(http::Method::get, pattern, guard, handler); }
  void post(std::string_view pattern, Guard guard, Handler handler) {
    add(http::Method::post, pattern, guard, handler);
  }
  void del(std::string_view pattern, Guard guard, Handler handler) { add(http::Method::del, pattern, guard, handler); }

 private:
  void add(http::Method method, std::string_view pattern, Guard guard, Handler handler);
  Pipeline& pipeline_;
  Api& api_;
};

// What a request goes through in every service, in this order: metrics and log (so that nothing escapes them), the
// error boundary, the route (so that they can be named), identity, permission, handler.
class Pipeline {
 public:
  using Handler = std::function<awaitable<http::Response>(Call&)>;
  Pipeline(Boundary& boundary, identity::Verifier& verifier, Metrics& metrics);

  void add(http::Method method, std::string_view pattern, Guard guard, Handler handler);
  template <class Api>
  Routes<Api> mount(Api& api) {
    return Routes<Api>(*this, api);
  }
  awaitable<http::Response> serve(http::Request& request);

 private:
  struct Route {
    Guard guard;
    Handler handler;
    std::unique_ptr<RouteMetrics> metrics;
  };
  awaitable<http::Response> work(http::Request& request, Scope& scope);
  void check(const Route& route, const identity::Identity& identity) const;

  Boundary& boundary_;
  identity::Verifier& verifier_;
  prometheus::Family<prometheus::Counter>& degraded_;
  http::Router router_;
  std::vector<Route> routes_;
  Boundary::Work work_;
};

template <class Api>
void Routes<Api>::add(http::Method method, std::string_view pattern, Guard guard, Handler handler) {
  pipeline_.add(method, pattern, std::move(guard),
                [api = &api_, handler](Call& call) { return (api->*handler)(call); });
}

}  // namespace parley::chassis
