#include "conversations/campaigns/recipients/api.hpp"

#include "common/chassis/audit.hpp"
#include "common/events/event.hpp"
#include "conversations/campaigns/recipients/export.hpp"
#include "conversations/campaigns/recipients/requests.hpp"

namespace parley::conversations::recipients {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/campaigns/{id}/recipients", Permission::get_campaign, &Api::list);
}

namespace {

// Audits an export, as contacts does for its own.
model::RawJson told_of_export(const chassis::Call& call, const Campaign& campaign) {
  auto entry = chassis::audit_entry(call, model::AuditAction::RecipientsExported, campaign.id, "recipients");
  entry.details = chassis::query_of(call);
  events::Changes changes;
  changes.add(entry);
  return changes.json();
}

}  // namespace

awaitable<http::Response> Api::export_all(chassis::Call& call, Campaign campaign, Filter filter) {
  const auto told = told_of_export(call, campaign);
  auto lines = std::make_shared<Export>(store_, std::move(campaign), std::move(filter),
                                        exports_.take(call.request, call.organization()));
  co_await lines->begin();
  if (call.request.method != http::Method::head) co_await store_.emit(told);  // a HEAD response exports nothing
  http::Response response;
  response.content_type = "text/csv; charset=utf-8; header=present";
  const auto today = model::Timestamp::now().text().substr(0, 10);
  response.add("Content-Disposition", "attachment; filename=\"recipients-" + today + ".csv\"");
  response.stream = std::move(lines);
  co_return response;
}

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto id = call.id();
  const auto query = call.query<ListQuery>();
  const auto filter = check(id, query);
  if (filter.csv) call.require(Permission::get_contact);
  auto campaign = co_await store_.find(call.organization(), id);
  if (!campaign) throw chassis::not_found("there is no campaign with this id");
  if (filter.csv) co_return co_await export_all(call, std::move(*campaign), filter);
  auto page = co_await store_.list(*campaign, filter);
  if (!call.may(Permission::get_contact))
    for (auto& recipient : page.recipients) recipient.phone.clear();
  PageResponse answer{std::move(page.recipients), {filter.paging.page(), filter.paging.per_page, page.total}};
  auto& next = answer.paginationMeta.nextCursor;
  if (page.next) next = cursor_to(id, filter, *page.next);
  auto response = http::json_response(answer);
  if (next) response.add("Link", http::next_link(call.request, *next));
  co_return response;
}

}  // namespace parley::conversations::recipients
