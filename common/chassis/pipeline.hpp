#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "common/chassis/boundary.hpp"
#include "common/chassis/operation.hpp"
#include "common/http/router.hpp"
#include "common/identity/token.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

// A request in a handler: the request, its caller, and what the response carries beside its body.
class Call {
 public:
  Call(http::Request& request_, const identity::Identity& identity_, const http::PathParameters& parameters_,
       RequestContext& scope_)
      : request(request_), identity(identity_), parameters(parameters_), scope(scope_) {}

  http::Request& request;
  const identity::Identity& identity;
  const http::PathParameters& parameters;
  RequestContext& scope;

  const model::Uuid& organization() const { return identity.organization_id; }
  bool may(identity::Permission permission) const { return identity.permissions.has(permission); }
  // Throws a Problem 403 that names the permission, unless the caller has it; for checks beyond the route's guard.
  void require(identity::Permission permission) const;
  // The path's {id}. Throws a Problem 404 for a malformed id, as for an unknown one.
  model::Uuid id() const;
  template <model::Described T>
  T query() const {
    return http::read_query<T>(request.query);
  }
  template <model::Described T>
  awaitable<T> body() {
    return http::read_body<T>(request);
  }
  // The same for a body that may be left out.
  template <model::Described T>
  awaitable<T> optional_body() {
    return http::read_optional_body<T>(request);
  }
  // Sets the version that the ETag of a GET begins with (see http/etag.hpp).
  void show_version(std::string version) { version_ = std::move(version); }
  // Compares If-Match with the version of the locked row; throws a Problem 412 if they differ.
  void require_version(std::string_view version) const;
  // Records in Parley-Degraded that a part is missing because its context could not be reached.
  void degraded(std::string_view context);
  const std::string& degraded_contexts() const { return degraded_; }

 private:
  friend class Pipeline;
  std::string degraded_;
  std::string version_;
};

// The Problem for a missing permission, which it names.
http::Problem lacking(identity::Permission permission);
// The Problem 404, the same for unknown ids and ids of other organizations.
http::Problem not_found(std::string_view what);

// Guards of a route: one permission or several, any member, any person who signed in (Call::organization() is nil for a
// person without an organization), or a closed list of services.
struct AllOf {
  std::vector<identity::Permission> permissions;
};
struct AnyMember {};
struct AnyPerson {};
struct Services {
  std::vector<std::string_view> names;
};
// Open to everybody, with the identity of the credential if there is one; otherwise the gateway calls in its own name.
struct Anyone {};
using Guard = std::variant<identity::Permission, AllOf, AnyMember, AnyPerson, Anyone, Services>;

// Open to everybody, without a credential: only the gateway may call, in its own name, and no other service may.
inline Guard everybody() { return Services{{"gateway"}}; }

class Change;
class Pipeline;
class ReplayBudget;

// Routes of one API object: routes.get("/api/contacts/{id}", Permission::get_contact, &Api::find). A handler that
// changes something also takes a Change: see change.hpp.
template <class Api>
class Routes {
 public:
  using Handler = awaitable<http::Response> (Api::*)(Call&);
  using ChangeHandler = awaitable<http::Response> (Api::*)(Call&, Change&);
  Routes(Pipeline& pipeline, Api& api) : pipeline_(pipeline), api_(api) {}
  void get(std::string_view pattern, Guard guard, Handler handler) { add(http::Method::get, pattern, guard, handler); }
  void post(std::string_view pattern, Guard guard, Handler handler) {
    add(http::Method::post, pattern, guard, handler);
  }
  void post(std::string_view pattern, Guard guard, ChangeHandler handler) {
    add(http::Method::post, pattern, guard, handler);
  }
  void del(std::string_view pattern, Guard guard, ChangeHandler handler) {
    add(http::Method::del, pattern, guard, handler);
  }
  // Serves an Operation: the handler gets the question and returns the response.
  template <http::Method method, class Question, class Answer>
  void serve(const Operation<method, Question, Answer>& operation, awaitable<Answer> (Api::*handler)(Call&, Question));
  template <class Question, class Answer>
  void serve(const Post<Question, Answer>& operation, awaitable<Answer> (Api::*handler)(Call&, Change&, Question));

 private:
  void add(http::Method method, std::string_view pattern, Guard guard, ChangeHandler handler);
  void add(http::Method method, std::string_view pattern, Guard guard, Handler handler);
  Pipeline& pipeline_;
  Api& api_;
};

// The steps of every request, in order: metrics and log (they see every request), error boundary, route (names the
// metrics), identity, permission, recorded response (changes only), handler, commit (changes only).
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
  // Sets the database for changes and the budget for recorded responses; see Idempotency. Both must outlive this
  // object.
  void commit_to(pg::Pool& database, ReplayBudget& budget) {
    database_ = &database;
    replay_budget_ = &budget;
  }
  // Runs the work of a handler with a Change, and commits it.
  awaitable<http::Response> change(Call& call, std::function<awaitable<http::Response>(Change&)> work);
  // Declares that responses may lack this context's part, so that the metric exists from the start.
  void composes(const std::string& context) { degraded_.Add({{"context", context}}); }

 private:
  struct Route {
    Guard guard;
    Handler handler;
    std::unique_ptr<RouteMetrics> metrics;
    bool has_tag;  // a route of one resource: its responses have an ETag
  };
  awaitable<http::Response> work(http::Request& request, RequestContext& scope);
  void check(const Route& route, const identity::Identity& identity) const;
  void count_degraded(std::string_view contexts);

  Boundary& boundary_;
  identity::Verifier& verifier_;
  prometheus::Family<prometheus::Counter>& degraded_;
  pg::Pool* database_ = nullptr;  // nullptr: the service has no changes
  ReplayBudget* replay_budget_ = nullptr;
  std::unordered_set<std::string> keys_under_way_;  // keys of changes in progress: see Change::key_id()
  http::Router router_;
  std::vector<Route> routes_;
  Boundary::Work work_;
};

template <class Api>
void Routes<Api>::add(http::Method method, std::string_view pattern, Guard guard, Handler handler) {
  pipeline_.add(method, pattern, std::move(guard),
                [api = &api_, handler](Call& call) { return (api->*handler)(call); });
}

template <class Api>
void Routes<Api>::add(http::Method method, std::string_view pattern, Guard guard, ChangeHandler handler) {
  pipeline_.add(method, pattern, std::move(guard), [pipeline = &pipeline_, api = &api_, handler](Call& call) {
    return pipeline->change(call, [api, handler, &call](Change& change) { return (api->*handler)(call, change); });
  });
}

template <class Api>
template <http::Method method, class Question, class Answer>
void Routes<Api>::serve(const Operation<method, Question, Answer>& operation,
                        awaitable<Answer> (Api::*handler)(Call&, Question)) {
  const auto work = [api = &api_, handler, is_secret = operation.is_secret](Call& call) -> awaitable<http::Response> {
    Question question;
    if constexpr (method == http::Method::get)
      question = call.query<Question>();
    else
      question = co_await http::read_body<Question>(call.request, model::Nulls::absent);
    auto response = response_of(co_await (api->*handler)(call, std::move(question)));
    if (is_secret) response.add("Cache-Control", "no-store");
    co_return response;
  };
  pipeline_.add(method, operation.path, Services{{operation.caller}}, work);
}

template <class Api>
template <class Question, class Answer>
void Routes<Api>::serve(const Post<Question, Answer>& operation,
                        awaitable<Answer> (Api::*handler)(Call&, Change&, Question)) {
  const auto work = [pipeline = &pipeline_, api = &api_, handler](Call& call) {
    return pipeline->change(call, [api, handler, &call](Change& change) -> awaitable<http::Response> {
      auto question = co_await http::read_body<Question>(call.request, model::Nulls::absent);
      co_return response_of(co_await (api->*handler)(call, change, std::move(question)));
    });
  };
  pipeline_.add(http::Method::post, operation.path, Services{{operation.caller}}, work);
}

}  // namespace parley::chassis
