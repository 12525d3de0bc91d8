#include "analytics/reports/span.hpp"

#include "common/http/problem.hpp"

namespace parley::analytics::reports {

namespace {

constexpr std::int64_t kQuarter = 15 * 60 * 1000;
constexpr std::int64_t kHour = 60 * 60 * 1000;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kUsualSpan = 30 * kDay;
constexpr std::int64_t kMaxByHours = 48 * kHour;
constexpr std::int64_t kMaxSpan = 366 * kDay + 2 * kHour;  // two hours for a change of clocks within the span
constexpr std::size_t kMaxZoneLength = 64;

Edge read_edge(const std::optional<std::string>& text, const char* name, http::Faults& faults) {
  Edge edge;
  if (!text) return edge;
  edge.moment = model::Timestamp::parse(*text);
  if (!edge.moment) faults.add(name, "must be a date, or a date-time with its offset, such as 2026-01-31T12:00:00Z");
  if (edge.moment && text->size() == std::string_view("2026-01-31").size()) edge.day = *text;
  return edge;
}

bool could_be_zone(const std::string& name) {
  return !name.empty() && name.size() <= kMaxZoneLength &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/") == name.npos;
}

}  // namespace

Edges read_edges(const ReportQuery& query) {
  http::Faults faults;
  Edges edges{read_edge(query.from, "?from", faults), read_edge(query.to, "?to", faults),
              query.timezone.value_or("UTC")};
  if (!could_be_zone(edges.zone))
    faults.add("?timezone", "must be a name of the IANA time zone database, such as Europe/Berlin");
  faults.throw_if_any();
  if (edges.to.day) edges.to.moment->milliseconds_since_epoch += kDay;  // the end of the day in UTC
  return edges;
}

Span span_between(const Edges& edges, model::Timestamp now) {
  const auto ends = edges.to.moment.value_or(now).milliseconds_since_epoch;
  const auto starts = edges.from.moment.value_or(model::Timestamp{ends - kUsualSpan}).milliseconds_since_epoch;
  const bool backwards = ends < starts || (edges.to.day && ends == starts);  // a day ends where the next one begins
  http::Faults faults;
  if (backwards && edges.to.moment) faults.add("?to", "must not be before from");
  if (backwards && !edges.to.moment) faults.add("?from", "must not be after now, which the span ends with");
  if (ends - starts > kMaxSpan) faults.add("?from", "must be at most 366 days before the span's end");
  faults.throw_if_any();

  Span span{.starts = {starts / kQuarter * kQuarter}, .ends = {(ends + kQuarter - 1) / kQuarter * kQuarter}};
  if (span.starts == span.ends) span.ends.milliseconds_since_epoch += kQuarter;
  span.by_hours = ends - starts <= kMaxByHours;
  span.zone = edges.zone;
  return span;
}

}  // namespace parley::analytics::reports
