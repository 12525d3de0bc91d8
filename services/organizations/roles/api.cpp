#include "organizations/roles/api.hpp"

namespace parley::organizations::roles {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/rbac/roles", Permission::create_organization_role, &Api::create);
}

namespace {

constexpr std::size_t kMostPermissions = 100;

// Nobody grants what they lack, or a member could give it to themselves by a role.
void check_grants(const std::vector<std::string>& names, identity::PermissionSet held) {
  http::Problem problem{.status = 403, .detail = {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto permission = identity::parse_permission(names[i]);
    if (!permission || held.has(*permission)) continue;
    problem.detail += problem.errors.empty() ? "you lack what the role would grant: " : ", ";
    problem.detail += names[i];
    problem.errors.push_back({"/permissions/" + std::to_string(i), "you lack " + names[i]});
  }
  if (!problem.errors.empty()) throw problem;
}

NewRole check(CreateRole body, identity::PermissionSet held) {
  http::Faults faults;
  faults.check_text("/name", body.name, 1, 255);
  NewRole role{std::move(body.name), body.description.value_or(""), {}};
  faults.check_text("/description", role.description, 0, 2000);
  if (body.permissions.size() > kMostPermissions) {
    faults.add("/permissions", "must be at most " + std::to_string(kMostPermissions));
    body.permissions.clear();
  }
  for (std::size_t i = 0; i < body.permissions.size(); ++i) {
    if (const auto permission = identity::parse_permission(body.permissions[i]))
      role.permissions.add(*permission);
    else
      faults.add("/permissions/" + std::to_string(i), "is no permission: they are Verb:Resource, such as Get:Contact");
  }
  faults.throw_if_any();
  check_grants(body.permissions, held);
  return role;
}

}  // namespace

awaitable<http::Response> Api::create(chassis::Call& call) {
  auto role = check(co_await call.body<CreateRole>(), call.identity.permissions);
  const RoleAnswer answer{co_await store_.create(call.organization(), std::move(role))};
  auto response = http::json_response(answer, 201);
  response.add("Location", "/api/rbac/roles/" + answer.role.uniqueId.text());
  co_return response;
}

}  // namespace parley::organizations::roles
