#include "analytics/reports/api.hpp"

namespace parley::analytics::reports {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/analytics/campaigns", Permission::get_campaign_analytics, &Api::campaigns);
}

awaitable<http::Response> Api::campaigns(chassis::Call& call) {
  auto edges = read_edges(call.query<CampaignsQuery>());
  const bool known = co_await store_.knows_zone(edges.zone);
  if (!known) {
    http::Faults faults;
    faults.add("?timezone", "is no name of the IANA time zone database, such as Europe/Berlin");
    faults.throw_if_any();
  }
  if (edges.need_days()) edges = co_await store_.resolve_days(std::move(edges));
  const auto span = span_between(edges, model::Timestamp::now());
  CampaignsAnswer answer;
  answer.analytics = co_await store_.campaigns(call.organization(), span);
  co_return http::json_response(answer);
}

}  // namespace parley::analytics::reports
