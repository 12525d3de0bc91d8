#include "conversations/recipients/api.hpp"

#include "conversations/recipients/export.hpp"
#include "conversations/recipients/requests.hpp"

namespace parley::conversations::recipients {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/campaigns/{id}/recipients", Permission::get_campaign, &Api::list);
}

namespace {

awaitable<http::Response> as_csv(Store& store, Campaign campaign, Filter filter) {
  auto lines = std::make_shared<Export>(store, std::move(campaign), std::move(filter));
  co_await lines->begin();
  http::Response response;
  response.content_type = "text/csv; charset=utf-8; header=present";
  const auto today = model::Timestamp::now().text().substr(0, 10);
  response.add("Content-Disposition", "attachment; filename=\"recipients-" + today + ".csv\"");
  response.stream = std::move(lines);
  co_return response;
}

}  // namespace

awaitable<http::Response> Api::list(chassis::Call& call) {
  const auto id = call.id();
  const auto query = call.query<ListQuery>();
  const auto filter = check(id, query);
  auto campaign = co_await store_.find(call.organization(), id);
  if (!campaign) throw chassis::not_found("there is no campaign with this id");
  if (filter.csv) co_return co_await as_csv(store_, std::move(*campaign), filter);
  auto page = co_await store_.list(*campaign, filter);
  auto response = http::json_response(
      PageAnswer{std::move(page.recipients), {filter.paging.page(), filter.paging.per_page, page.total}});
  if (page.next) response.add("Link", link_to(call.request, id, filter, *page.next));
  co_return response;
}

}  // namespace parley::conversations::recipients
