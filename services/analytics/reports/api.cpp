#include "analytics/reports/api.hpp"

#include "common/model/text.hpp"

namespace parley::analytics::reports {

using identity::Permission;

namespace {

constexpr std::size_t kMaxTagLength = 255;  // characters

Filter read_filter(const CampaignsQuery& query) {
  http::Faults faults;
  if (query.tag && (query.tag->empty() || model::count_characters(*query.tag).value_or(0) > kMaxTagLength))
    faults.add("?tag", "must be 1 to 255 characters");
  faults.throw_if_any();
  return {query.campaign_id, query.list_id, query.tag};
}

bool wants_csv(const chassis::Call& call, const ReportQuery& query) {
  return query.format ? *query.format == Format::csv : prefers_csv(call.request.field("Accept"));
}

http::Response as_csv(std::string body, std::string_view name, const Span& span) {
  http::Response response;
  response.content_type = "text/csv; charset=utf-8; header=present";
  const auto day = [](model::Timestamp moment) { return moment.text().substr(0, 10); };
  const model::Timestamp last{span.ends.milliseconds_since_epoch - 1};
  response.add("Content-Disposition",
               "attachment; filename=\"" + std::string(name) + "-" + day(span.starts) + "-" + day(last) + ".csv\"");
  response.body = std::move(body);
  return response;
}

// Applies to JSON and CSV: the format depends on Accept, and inexact figures are marked.
http::Response finished(http::Response response, const Span& span, const std::optional<model::Timestamp>& exact_from) {
  response.add("Vary", "Accept");
  if (exact_from && span.starts < *exact_from) response.add("Parley-Inexact-Before", exact_from->text());
  return response;
}

http::Response answer(const chassis::Call& call, const ReportQuery& query, const Span& span,
                      const CampaignFigures& figures) {
  auto response = wants_csv(call, query) ? as_csv(csv_of(figures.slots), "campaign-analytics", span)
                                         : http::json_response(CampaignsResponse{summarise(figures.slots)});
  return finished(std::move(response), span, figures.exact_from);
}

}  // namespace

Api::Api(chassis::Process& process, Store& store) : store_(store) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/api/analytics/campaigns", Permission::get_campaign_analytics, &Api::campaigns);
  routes.get("/api/analytics/campaign/{id}", Permission::get_campaign_analytics, &Api::campaign);
  routes.get("/api/analytics/primary", Permission::get_primary_analytics, &Api::primary);
}

awaitable<http::Response> Api::campaigns(chassis::Call& call) {
  const auto query = call.query<CampaignsQuery>();
  auto filter = read_filter(query);
  const auto span = co_await span_of(query);
  const auto figures = co_await store_.campaigns(call.organization(), span, std::move(filter));
  co_return answer(call, query, span, figures);
}

awaitable<http::Response> Api::campaign(chassis::Call& call) {
  const auto id = call.id();
  const auto query = call.query<ReportQuery>();
  const auto span = co_await span_of(query);
  const auto figures = co_await store_.campaign(call.organization(), id, span);
  if (!figures) throw chassis::not_found("there is no campaign with this id");
  co_return answer(call, query, span, *figures);
}

awaitable<http::Response> Api::primary(chassis::Call& call) {
  const auto query = call.query<ReportQuery>();
  const auto span = co_await span_of(query);
  const auto figures = co_await store_.primary(call.organization(), span);
  PrimaryResponse analytics{summarise(figures.slots, figures.contacts_before)};
  auto response =
      wants_csv(call, query) ? as_csv(csv_of(analytics.analytics), "analytics", span) : http::json_response(analytics);
  co_return finished(std::move(response), span, figures.exact_from);
}

awaitable<Span> Api::span_of(ReportQuery query) {
  auto edges = read_edges(query);
  const bool known = co_await store_.knows_zone(edges.zone);
  if (!known) {
    http::Faults faults;
    faults.add("?timezone", "is no name of the IANA time zone database, such as Europe/Berlin");
    faults.throw_if_any();
  }
  if (edges.need_days()) edges = co_await store_.resolve_days(std::move(edges));
  co_return span_between(edges, model::Timestamp::now());
}

}  // namespace parley::analytics::reports
