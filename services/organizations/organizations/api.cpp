#include "organizations/organizations/api.hpp"

namespace parley::organizations::organizations {

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/organization", chassis::AnyMember{}, &Api::list);
  routes.post("/api/organization", chassis::AnyMember{}, &Api::create);
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

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto query = call.query<ListQuery>();
  const auto paging = http::read_paging(query.skip, query.page, query.per_page, query.limit);
  const bool descending = query.order == http::Order::desc;
  auto page = co_await store_.list(call.organization(), call.identity.member_id, paging, descending);
  co_return http::json_response(
      PageAnswer{std::move(page.organizations), {paging.page(), paging.per_page, page.total}});
}

awaitable<http::Response> Api::create(chassis::Call& call) {
  auto organization = check(co_await call.body<CreateOrganization>());
  const OrganizationAnswer answer{
      co_await store_.create(call.organization(), call.identity.member_id, std::move(organization))};
  auto response = http::json_response(answer, 201);
  response.add("Location", "/api/organization/" + answer.organization.uniqueId.text());
  co_return response;
}

}  // namespace parley::organizations::organizations
