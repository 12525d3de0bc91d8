#pragma once
#include <optional>
#include <string>

#include "analytics/reports/shapes.hpp"

namespace parley::analytics::reports {

// What a report is about: whole quarters of an hour, from `starts` up to `ends`, by days or hours of a time zone.
struct Span {
  model::Timestamp starts, ends;
  bool by_hours = false;
  std::string zone{};
};

// One edge as the caller gave it: a moment, or a day ("2026-01-31") of their time zone.
struct Edge {
  std::optional<model::Timestamp> moment;
  std::optional<std::string> day;
};

struct Edges {
  Edge from, to;
  std::string zone;

  // Whether the database has to say when a day of this zone begins and ends: it knows the zones.
  bool need_days() const { return zone != "UTC" && (from.day || to.day); }
};

// Reads the parameters. Throws the Problem 400 that they are; the zone's name is only looked at, not looked up.
Edges read_edges(const ReportQuery& query);

// The span between two edges, a moment missing being the last 30 days' or now. Its edges are moved outward to full
// quarters. Throws a Problem 400 when the end is before the start, or the span longer than 366 days. Days of UTC are
// understood; those of another zone must have been replaced by moments.
Span span_between(const Edges& edges, model::Timestamp now);

}  // namespace parley::analytics::reports
