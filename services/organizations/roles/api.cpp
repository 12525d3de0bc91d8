#include "organizations/roles/api.hpp"

#include "common/chassis/change.hpp"

namespace parley::organizations::roles {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/rbac/roles", Permission::get_organization_role, &Api::list);
  routes.post("/api/rbac/roles", Permission::create_organization_role, &Api::create);
  routes.get("/api/rbac/roles/{id}", Permission::get_organization_role, &Api::find);
  routes.post("/api/rbac/roles/{id}", Permission::update_organization_role, &Api::update);
  routes.del("/api/rbac/roles/{id}", Permission::delete_organization_role, &Api::remove);
  routes.get("/api/rbac/permissions", chassis::AnyMember{}, &Api::permissions);
}

namespace {

constexpr std::size_t kMaxPermissions = 100;

http::Problem no_role() { return chassis::not_found("there is no role with this id"); }

Permissions read_permissions(const std::vector<std::string>& names, http::Faults& faults) {
  Permissions permissions;
  if (names.size() > kMaxPermissions) {
    faults.add("/permissions", "must be at most " + std::to_string(kMaxPermissions));
    return permissions;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto permission = identity::parse_permission(names[i]))
      permissions.push_back(*permission);
    else
      faults.add("/permissions/" + std::to_string(i), "is no permission: they are Verb:Resource, such as Get:Contact");
  }
  return permissions;
}

NewRole check(CreateRole body) {
  http::Faults faults;
  faults.check_text("/name", body.name, 1, 255);
  NewRole role{std::move(body.name), body.description.value_or(""), {}};
  faults.check_text("/description", role.description, 0, 2000);
  role.permissions = read_permissions(body.permissions, faults);
  faults.throw_if_any();
  return role;
}

RoleChange check(UpdateRole body) {
  http::Faults faults;
  RoleChange change{std::move(body.name), std::move(body.description), {}};
  if (change.name) faults.check_text("/name", *change.name, 1, 255);
  if (change.description) faults.check_text("/description", *change.description, 0, 2000);
  if (body.permissions) change.permissions = read_permissions(*body.permissions, faults);
  faults.throw_if_any();
  return change;
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = http::read_page_filter(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [&](const model::Role& last) { return filter.sort_by == SortBy::name ? last.name : ""; };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.roles), page.total, sorted_by);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto role = co_await store_.find(call.organization(), call.id());
  if (!role) throw no_role();
  call.show_version(role->version);
  co_return http::json_response(RoleResponse{std::move(*role)});
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto role = check(co_await call.body<CreateRole>());
  const RoleResponse answer{co_await store_.create(change, authorization::caller_of(call), std::move(role))};
  co_return http::created(answer, "/api/rbac/roles/" + answer.role.uniqueId.text());
}

awaitable<Locked> Api::lock(chassis::Call& call, pg::Transaction& transaction, std::optional<Permission> needed) {
  auto locked = co_await store_.lock(transaction, authorization::caller_of(call), call.id(), needed);
  if (!locked) throw no_role();
  call.require_version(locked->role.version);
  co_return std::move(*locked);
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  auto update = check(co_await call.body<UpdateRole>());
  auto locked = co_await lock(call, change, Permission::update_organization_role);
  const RoleResponse answer{
      co_await store_.change(change, authorization::caller_of(call), std::move(locked), std::move(update))};
  co_return http::json_response(answer);
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  auto locked = co_await lock(call, change, Permission::delete_organization_role);
  co_await store_.remove(change, authorization::caller_of(call), std::move(locked));
  co_return http::no_content();
}

awaitable<http::Response> Api::permissions(chassis::Call& call) {
  call.query<NoParameters>();
  PermissionsResponse answer;
  for (const auto& name : identity::PermissionSet::all().names())
    answer.permissions.push_back({name, call.may(*identity::parse_permission(name))});
  co_return http::json_response(answer);
}

}  // namespace parley::organizations::roles
