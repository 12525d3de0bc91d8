#pragma once
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <functional>
#include <string>
#include <vector>

namespace parley::chassis {

// Seconds: the OpenTelemetry recommendation for HTTP, with finer buckets below.
inline const prometheus::Histogram::BucketBoundaries kSeconds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1,
                                                              0.25,  0.5,    0.75,  1,    2.5,   5,    7.5,   10};
// Fewer buckets, for families with many series.
inline const prometheus::Histogram::BucketBoundaries kFewSeconds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                                 0.1,    0.5,   1,      5,     10};
inline const prometheus::Histogram::BucketBoundaries kBytes{0,     256,    1024,    4096,     16384,
                                                            65536, 262144, 1048576, 16777216, 268435456};

// The metrics that Prometheus scrapes. Families are added once, at start; hot paths keep references to their metrics.
class Metrics {
 public:
  Metrics();

  prometheus::Family<prometheus::Counter>& counters(const std::string& name, const std::string& help);
  prometheus::Family<prometheus::Gauge>& gauges(const std::string& name, const std::string& help);
  prometheus::Family<prometheus::Histogram>& histograms(const std::string& name, const std::string& help);

  // Calls `update` before each scrape, to set values that are kept elsewhere.
  void before_scrape(std::function<void()> update) { updates_.push_back(std::move(update)); }
  // A counter kept elsewhere: `read` returns its value since the start.
  void counter_from(const std::string& name, const std::string& help, const prometheus::Labels& labels,
                    std::function<double()> read);
  // Like counter_from(), for a counter that several sources add to.
  void add_from(prometheus::Counter& counter, std::function<double()> read);
  void gauge_from(const std::string& name, const std::string& help, const prometheus::Labels& labels,
                  std::function<double()> read);

  // The text exposition format, version 0.0.4.
  std::string scrape();

 private:
  prometheus::Registry registry_;
  std::vector<std::function<void()>> updates_;
};

}  // namespace parley::chassis
