#include "organizations/organizations/api.hpp"

#include "common/chassis/change.hpp"

namespace parley::organizations::organizations {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/organization", chassis::AnyPerson{}, &Api::list);
  routes.post("/api/organization", chassis::AnyPerson{}, &Api::create);
  routes.get("/api/organization/{id}", Permission::get_organization, &Api::find);
  routes.post("/api/organization/{id}", Permission::update_organization, &Api::update);
  routes.del("/api/organization/{id}", Permission::delete_organization, &Api::remove);
}

namespace {

NewOrganization check(CreateOrganization body) {
  http::Faults faults;
  NewOrganization organization{std::move(body.name), body.description.value_or(""), body.websiteUrl.value_or("")};
  faults.check_text("/name", organization.name, 1, 255);
  faults.check_text("/description", organization.description, 0, 2000);
  faults.check_url("/websiteUrl", organization.website_url);
  faults.throw_if_any();
  return organization;
}

UpdateOrganization check(UpdateOrganization body) {
  http::Faults faults;
  if (body.name) faults.check_text("/name", *body.name, 1, 255);
  if (body.description) faults.check_text("/description", *body.description, 0, 2000);
  if (body.websiteUrl) faults.check_url("/websiteUrl", *body.websiteUrl);
  if (body.logoUrl) faults.check_url("/logoUrl", *body.logoUrl);
  if (body.faviconUrl) faults.check_url("/faviconUrl", *body.faviconUrl);
  faults.throw_if_any();
  return body;
}

// Only the caller's current organization exists for it; X-Organization-Id selects another.
model::Uuid own_id(const chassis::Call& call) {
  const auto id = call.id();
  if (id != call.organization()) throw chassis::not_found("there is no organization with this id");
  return id;
}

// Deletion is irreversible, so the request must repeat the organization's name.
void check_name(const RemoveQuery& query, const model::Organization& organization) {
  if (query.name == organization.name) return;
  http::Faults faults;
  faults.add("?name", query.name ? "is not the organization's name" : "must be the organization's name");
  faults.throw_if_any();
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = http::read_page_filter(call.query<ListQuery>());
  auto page = co_await store_.list(call.identity.person_id, filter);
  const auto sorted_by = [&](const model::Organization& last) {
    return filter.sort_by == SortBy::name ? last.name : "";
  };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.organizations), page.total,
                                              sorted_by);
}

awaitable<http::Response> Api::create(chassis::Call& call, chassis::Change& change) {
  auto organization = check(co_await call.body<CreateOrganization>());
  co_await authorization::require_live(change, call.identity.person_id, call.scope.credential_id);
  const OrganizationResponse answer{
      co_await store_.create(change, call.identity.person_id, audit::actor_of(call), std::move(organization))};
  co_return http::created(answer, "/api/organization/" + answer.organization.uniqueId.text());
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  const bool is_owner = call.identity.access_level == model::AccessLevel::Owner;
  auto organization = co_await store_.find(own_id(call), is_owner ? Secrets::whole : Secrets::masked);
  if (!organization) throw chassis::not_found("there is no organization with this id");
  call.show_version(organization->version);
  const bool holds_secrets = is_owner && organization->messagingBusinessAccountDetails;
  auto response = http::json_response(OrganizationResponse{std::move(*organization)});
  if (holds_secrets) response.add("Cache-Control", "no-store");
  co_return response;
}

awaitable<Locked> Api::lock(chassis::Call& call, pg::Transaction& transaction, Permission needed) {
  auto locked = co_await store_.lock(transaction, authorization::caller_of(call), needed);
  call.require_version(locked.organization.version);
  co_return locked;
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  own_id(call);
  auto update = check(co_await call.body<UpdateOrganization>());
  auto locked = co_await lock(call, change, Permission::update_organization);
  const OrganizationResponse answer{
      co_await store_.change(change, authorization::caller_of(call), std::move(locked), std::move(update))};
  co_return http::json_response(answer);
}

awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  own_id(call);
  authorization::check_level(authorization::caller_of(call).rights, model::AccessLevel::Owner, "");
  const auto query = call.query<RemoveQuery>();
  auto locked = co_await lock(call, change, Permission::delete_organization);
  check_name(query, locked.organization);
  co_await store_.remove(change, authorization::caller_of(call), std::move(locked));
  co_return http::no_content();
}

}  // namespace parley::organizations::organizations
