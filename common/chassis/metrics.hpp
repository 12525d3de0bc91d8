#pragma once
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <functional>
#include <string>
#include <vector>

namespace parley::chassis {

// Seconds: OpenTelemetry's advice for HTTP, with finer steps below.
inline const prometheus::Histogram::BucketBoundaries kSeconds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1,
                                                              0.25,  0.5,    0.75,  1,    2.5,   5,    7.5,   10};
// Fewer of them, for families of many series.
inline const prometheus::Histogram::BucketBoundaries kFewSeconds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                                 0.1,    0.5,   1,      5,     10};
inline const prometheus::Histogram::BucketBoundaries kBytes{0,     256,    1024,    4096,     16384,
                                                            65536, 262144, 1048576, 16777216, 268435456};

// What a process shows to Prometheus. Families are added once, at start; hot paths keep references to their metrics.
class Metrics {
 public:
  Metrics();

  prometheus::Family<prometheus::Counter>& counters(const std::string& name, const std::string& help);
  prometheus::Family<prometheus::Gauge>& gauges(const std::string& name, const std::string& help);
  prometheus::Family<prometheus::Histogram>& histograms(const std::string& name, const std::string& help);

  // Called before each scrape: sets what is kept elsewhere.
  void before_scrape(std::function<void()> update) { updates_.push_back(std::move(update)); }
  // A counter that is kept elsewhere: `read` gives its value since the start.
  void counter_from(const std::string& name, const std::string& help, const prometheus::Labels& labels,
                    std::function<double()> read);
  // The same for a counter to which several places add.
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
