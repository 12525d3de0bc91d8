#pragma once
#include <optional>
#include <string>

#include "analytics/reports/shapes.hpp"

namespace parley::analytics::reports {

// The span of a report: whole quarters of an hour in [starts, ends), by days or hours of a time zone.
struct Span {
  model::Timestamp starts, ends;
  bool by_hours = false;
  std::string zone{};
};

// An edge as requested: a moment, or a day ("2026-01-31") of the time zone.
struct Edge {
  std::optional<model::Timestamp> moment;
  std::optional<std::string> day;
};

struct Edges {
  Edge from, to;
  std::string zone;

  // True if the database, which knows the time zones, must turn days into moments.
  bool need_days() const { return zone != "UTC" && (from.day || to.day); }
};

// Throws a Problem 400. Checks only the syntax of the zone's name.
Edges read_edges(const ReportQuery& query);

// Extends the edges to whole quarters. Defaults: up to now, 30 days. Throws a Problem 400 if the end is before the
// start or the span exceeds 366 days. Days of zones other than UTC must have been replaced by moments.
Span span_between(const Edges& edges, model::Timestamp now);

}  // namespace parley::analytics::reports
