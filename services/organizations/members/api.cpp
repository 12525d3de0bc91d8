#include "organizations/members/api.hpp"

#include "common/chassis/change.hpp"
#include "organizations/members/summaries.hpp"

namespace parley::organizations::members {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/organization/members", Permission::get_organization_member, &Api::list);
  routes.get("/api/organization/members/{id}", Permission::get_organization_member, &Api::find);
  routes.post("/api/organization/members/{id}", Permission::update_organization_member, &Api::update);
  // Leaving needs no permission; see remove().
  routes.del("/api/organization/members/{id}", chassis::AnyMember{}, &Api::remove);
  routes.serve(contracts::organizations::members, &Api::summaries);
}

namespace {

constexpr std::size_t kMaxRoles = 100;

http::Problem no_member() { return chassis::not_found("there is no member with this id"); }

Filter check(const ListQuery& query) { return {http::read_page_filter(query), query.access_level, query.role_id}; }

UpdateMember check(UpdateMember body) {
  http::Faults faults;
  if (body.roles && body.roles->size() > kMaxRoles)
    faults.add("/roles", "must be at most " + std::to_string(kMaxRoles));
  faults.throw_if_any();
  return body;
}

std::string sorted_by(const PageMember& member, SortBy sort_by) {
  if (sort_by == SortBy::name) return member.name;
  return sort_by == SortBy::email ? member.email : "";
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto filter = check(call.query<ListQuery>());
  auto page = co_await store_.list(call.organization(), filter);
  const auto sorted_by = [&](const PageMember& last) { return members::sorted_by(last, filter.sort_by); };
  co_return http::page_response<PageResponse>(call.request, filter, std::move(page.shown.records), page.total,
                                              sorted_by, page.shown.cut);
}

awaitable<http::Response> Api::find(chassis::Call& call) {
  auto member = co_await store_.find(call.organization(), call.id());
  if (!member) throw no_member();
  call.show_version(member->version);
  co_return http::json_response(MemberResponse{std::move(*member)});
}

awaitable<Locked> Api::lock(chassis::Call& call, pg::Transaction& transaction, std::optional<Permission> needed) {
  auto locked = co_await store_.lock(transaction, authorization::caller_of(call), call.id(), needed);
  if (!locked) throw no_member();
  call.require_version(locked->member.version);
  co_return std::move(*locked);
}

awaitable<http::Response> Api::update(chassis::Call& call, chassis::Change& change) {
  auto update = check(co_await call.body<UpdateMember>());
  auto locked = co_await lock(call, change, Permission::update_organization_member);
  const MemberResponse answer{
      co_await store_.change(change, authorization::caller_of(call), std::move(locked), std::move(update))};
  co_return http::json_response(answer);
}

// Members may always leave; removing others requires the permission.
awaitable<http::Response> Api::remove(chassis::Call& call, chassis::Change& change) {
  std::optional<Permission> needed;
  if (model::Uuid::parse(call.parameters.values[0]) != call.identity.member_id)
    needed = Permission::delete_organization_member;
  if (needed) call.require(*needed);
  auto locked = co_await lock(call, change, needed);
  co_await store_.remove(change, authorization::caller_of(call), std::move(locked));
  co_return http::no_content();
}

awaitable<chassis::Lines<PageMember>> Api::summaries(chassis::Call&, contracts::organizations::MembersQuery query) {
  auto summaries = std::make_shared<Summaries>(store_, query.organization_id.value_or(model::Uuid{}),
                                               std::move(query.member_ids).value_or(std::vector<model::Uuid>{}));
  co_await summaries->begin();
  chassis::Lines<PageMember> lines;
  if (summaries->is_last())
    lines.text = co_await summaries->next();
  else
    lines.stream = std::move(summaries);
  co_return lines;
}

}  // namespace parley::organizations::members
